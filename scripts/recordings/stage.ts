import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Deadline, pause } from "../../src/base/call.ts";
import type { Application } from "../../src/desktop/desktop.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import { openSession } from "../../src/session/open-session.ts";
import type { Session } from "../../src/session/session.ts";
import type { InputRecording } from "../../src/desktop/input-events.ts";
import { recordInput } from "../../src/desktop/mode.ts";
import type { ToolkitName } from "../action-names/stage.ts";

const folder = fileURLToPath(new URL("../../tests/fixtures/record", import.meta.url));
const PYTHON = "/usr/bin/python3";
/** Milliseconds that a fixture gets to come up, and between looks. */
const PATIENCE = 20_000;
const LOOK = 10;

/** A line of a fixture's own account. */
const Line = z.looseObject({
  what: z.string(),
  of: z.string().optional(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
});
export type Line = z.infer<typeof Line>;

/** How a fixture of a toolkit is started, that writes into a folder. */
export function commandOf(toolkit: ToolkitName, reported: string): [string, ...string[]] {
  switch (toolkit) {
    case "gtk3":
    case "gtk4":
      return [PYTHON, "-B", join(folder, `${toolkit}.py`), reported];
    case "qt5":
    case "qt6":
      return [PYTHON, "-B", join(folder, "qt.py"), reported, toolkit.slice(2)];
    case "chromium":
      return [
        "/usr/bin/chromium",
        "--enable-logging",
        `--log-file=${join(reported, "console.log")}`,
        "--window-size=1000,780",
        `--app=file://${join(folder, "page.html")}`,
      ];
  }
}

/** A fixture on a private desktop of its own, and what it has written. */
export class RecordStage implements AsyncDisposable {
  readonly session: Session;
  readonly toolkit: ToolkitName;
  readonly folder: string;
  readonly application: Application;

  private constructor(session: Session, toolkit: ToolkitName, folder: string, application: Application) {
    this.session = session;
    this.toolkit = toolkit;
    this.folder = folder;
    this.application = application;
  }

  static async open(toolkit: ToolkitName): Promise<RecordStage> {
    const state = mkdtempSync(join(tmpdir(), "bs-record-"));
    const session = await openSession({ kind: "isolated", state });
    try {
      const [program, ...args] = commandOf(toolkit, state);
      const { processId } = await session.launcher.launch(program, { args, timeout: PATIENCE });
      const applications = await session.desktop.applications();
      const application = applications.find(({ pid }) => pid === processId) ?? applications.at(-1);
      if (application === undefined) throw new Error(`${toolkit}: the fixture is not there`);
      const stage = new RecordStage(session, toolkit, state, application);
      await stage.#until(() => stage.account().some(({ what }) => what === "ready"), "it is not ready");
      await stage.#until(async () => rowOf(await stage.snapshot(), "Save") > 0, "its window has no content");
      return stage;
    } catch (thrown) {
      await session.close();
      rmSync(state, { recursive: true, force: true });
      throw thrown;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What a person does there. */
  inputs(): Promise<InputRecording> {
    return recordInput(this.session.desktop);
  }

  snapshot(): Promise<Snapshot> {
    return this.session.desktop.snapshot(this.application, { timeout: PATIENCE });
  }

  /** The windows of the application and where they lie, for comparing. */
  async windows(): Promise<string[]> {
    const windows = await this.session.desktop.windows();
    return windows.filter(({ pid, popup }) => pid === this.application.pid && !popup)
      .map(({ title, rect }) => `${title} at ${rect.x}, ${rect.y}`).sort();
  }

  /** All that it has written so far, after it said that it is ready. */
  account(): Line[] {
    return accountIn(this.folder, this.toolkit);
  }

  async #until(holds: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
    const deadline = Deadline.after(PATIENCE);
    while (!await holds()) {
      if (deadline.passed) throw new Error(`${this.toolkit}: ${otherwise}`);
      await pause(LOOK);
    }
  }
}

/** The first row of this name that can be seen, or the last one: what just opened; -1: there is none. */
export function rowOf(tree: Snapshot, name: string, which: "first" | "last" = "first"): number {
  let found = -1;
  for (let row = 1; row < tree.size; row++) {
    const rect = tree.rect(row);
    if (tree.name(row) !== name || rect === undefined || rect.width < 3 || rect.height < 3) continue;
    if (tree.has(row, "showing") || tree.origin.application.toolkit === "GTK") {
      found = row;
      if (which === "first") break;
    }
  }
  return found;
}

/** All that a fixture has written into its folder. */
export function accountIn(folder: string, toolkit: ToolkitName): Line[] {
  const web = toolkit === "chromium";
  const file = join(folder, web ? "console.log" : "account.jsonl");
  if (!existsSync(file)) return [];
  const whole = readFileSync(file, "utf8").split("\n").slice(0, -1);
  const lines = web
    ? whole.flatMap((line) => /CONSOLE[:(]\d+\)?\] "told (\{.*\})", source: /.exec(line)?.[1] ?? [])
    : whole;
  return lines.map((line) => Line.parse(JSON.parse(line)));
}
