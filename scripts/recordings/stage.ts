import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Deadline, pause } from "../../src/base/call.ts";
import type { Application } from "../../src/desktop/desktop.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import type { NativeSession } from "../../src/session/open-native.ts";
import type { Sight } from "./plan.ts";
import type { InputRecording } from "../../src/desktop/input-events.ts";
import { recordInput } from "../../src/desktop/mode.ts";
import {
  closeFixture,
  fixtureCommand,
  fixtureLines,
  type OpenFixture,
  openFixture,
  type ToolkitName,
} from "../action-names/fixture.ts";

const folder = fileURLToPath(new URL("../../tests/fixtures/record", import.meta.url));
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
  return fixtureCommand(folder, toolkit, reported);
}

/** All that a fixture has written into its folder. */
export function accountIn(folder: string, toolkit: ToolkitName): Line[] {
  return fixtureLines(Line, folder, toolkit, "account.jsonl");
}

/** A fixture on a private desktop of its own, and what it has written. */
export class RecordStage implements AsyncDisposable {
  readonly session: NativeSession;
  readonly toolkit: ToolkitName;
  readonly folder: string;
  readonly application: Application;

  private constructor(toolkit: ToolkitName, { session, folder, application }: OpenFixture) {
    this.session = session;
    this.toolkit = toolkit;
    this.folder = folder;
    this.application = application;
  }

  /** Starts the fixture and waits until its window has content. */
  static open(toolkit: ToolkitName): Promise<RecordStage> {
    return openFixture("record", (reported) => commandOf(toolkit, reported), PATIENCE, async (open) => {
      const stage = new RecordStage(toolkit, open);
      await stage.#until(() => stage.account().some(({ what }) => what === "ready"), "it is not ready");
      await stage.#until(async () => rowOf(await stage.snapshot(), "Save") > 0, "its window has no content");
      return stage;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return closeFixture(this);
  }

  /** What a person does there. */
  inputs(): Promise<InputRecording> {
    return recordInput(this.session.desktop);
  }

  /** What a person sees there. */
  readonly sight: Sight = {
    look: () => this.snapshot(),
    windows: () => this.session.desktop.windows(),
  };

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
