import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { Deadline } from "../../src/base/call.ts";
import type { Application } from "../../src/desktop/desktop.ts";
import { type NativeSession, openNative } from "../../src/session/open-native.ts";

/** The toolkits that have fixtures. */
export const TOOLKITS = ["gtk3", "gtk4", "qt5", "qt6", "chromium"] as const;
export type ToolkitName = typeof TOOLKITS[number];

const PYTHON = "/usr/bin/python3";

/** How the fixture of a toolkit in a folder is started, that writes its account into another. */
export function fixtureCommand(
  folder: string,
  toolkit: ToolkitName,
  reported: string,
  args: readonly string[] = [],
): [string, ...string[]] {
  switch (toolkit) {
    case "gtk3":
    case "gtk4":
      return [PYTHON, "-B", join(folder, `${toolkit}.py`), reported, ...args];
    case "qt5":
    case "qt6":
      return [PYTHON, "-B", join(folder, "qt.py"), reported, toolkit.slice(2), ...args];
    case "chromium":
      return [
        "/usr/bin/chromium",
        "--enable-logging",
        `--log-file=${join(reported, "console.log")}`,
        "--window-size=1000,780",
        `--app=file://${join(folder, "page.html")}`,
        ...args,
      ];
  }
}

/** All that a fixture has written so far: a page into the console, others into a file of JSON lines. */
export function fixtureLines<L>(line: z.ZodType<L>, folder: string, toolkit: ToolkitName, name: string): L[] {
  const web = toolkit === "chromium";
  const file = join(folder, web ? "console.log" : name);
  if (!existsSync(file)) return [];
  const whole = readFileSync(file, "utf8").split("\n").slice(0, -1);
  const lines = web
    ? whole.flatMap((line) => /CONSOLE[:(]\d+\)?\] "told (\{.*\})", source: /.exec(line)?.[1] ?? [])
    : whole;
  return lines.map((one) => line.parse(JSON.parse(one)));
}

/** A fixture that was started. */
export interface OpenFixture {
  /** Its private desktop. */
  readonly session: NativeSession;
  /** Where it writes. */
  readonly folder: string;
  readonly application: Application;
}

/** Starts a fixture on a private desktop of its own. `ready` may throw, and waits until it can be used. */
export async function openFixture<S extends AsyncDisposable>(
  name: string,
  commandOf: (reported: string) => [string, ...string[]],
  patience: number,
  ready: (open: OpenFixture) => Promise<S>,
): Promise<S> {
  const folder = mkdtempSync(join(tmpdir(), `bs-${name}-`));
  const session = await openNative({ kind: "isolated", state: folder });
  try {
    const [program, ...args] = commandOf(folder);
    const { processId } = await session.launcher.launch(program, { args, timeout: patience });
    const applications = await session.desktop.applications(Deadline.after(patience).call());
    const application = applications.find(({ pid }) => pid === processId) ?? applications.at(-1);
    if (application === undefined) throw new Error("the fixture is not there");
    return await ready({ session, folder, application });
  } catch (thrown) {
    await closeFixture({ session, folder });
    throw thrown;
  }
}

/** Ends it with its desktop, and takes away what it wrote. */
export async function closeFixture(
  { session, folder }: Pick<OpenFixture, "session" | "folder">,
): Promise<void> {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
}
