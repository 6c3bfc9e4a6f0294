import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { press } from "../src/desktop/actions/press.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import type { Application, Desktop } from "../src/desktop/desktop.ts";
import { Locator } from "../src/desktop/locator/mod.ts";
import { type NativeSession, openNative } from "../src/session/open-native.ts";
import { prepareHome, quirksOf } from "../src/session/quirks.ts";
import { ROOT } from "./cli/program.ts";
import { isInstalled } from "./_installed.ts";

/** A program with a button that moves for two seconds, and says in its title whether it was pressed while it moved. */
interface Case {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

const PYTHON = "/usr/bin/python3";
const fixture = (name: string) => join(ROOT, "tests/fixtures/moving", name);

const CASES: readonly Case[] = [
  { name: "GTK 3", program: PYTHON, args: [fixture("gtk3.py")] },
  { name: "GTK 4", program: PYTHON, args: [fixture("gtk4.py")] },
  { name: "Qt 5", program: PYTHON, args: [fixture("qt.py"), "5"] },
  { name: "Qt 6", program: PYTHON, args: [fixture("qt.py"), "6"] },
  { name: "Chromium", program: "/usr/bin/chromium", args: [`file://${fixture("page.html")}`] },
];
/** Milliseconds within which an application starts. */
const STARTS = 20_000;

async function until<T>(desktop: Desktop, what: string, look: () => Promise<T | undefined>): Promise<T> {
  const { last } = await untilDeadline(desktop, look, (now) => now !== undefined, Deadline.after(STARTS));
  if (last === undefined) throw new Error(`it never came to this: ${what}`);
  return last;
}

/** Sets the button moving, clicks it, and answers what its application says of the press. */
async function clickMoving(desktop: Desktop, application: Application): Promise<string> {
  const deadline = Deadline.after(STARTS);
  const named = (name: string) =>
    new Locator(desktop, { application, selector: `button[name="${name}"]` })
      .resolve({ state: "reachable", ...deadline.call() });
  const target = await named("Target");
  await press(desktop, (await named("Go")).element, {}, deadline);
  await press(desktop, target.element, { button: "right" }, deadline);
  return await until(desktop, "something was pressed", async () => {
    const windows = await desktop.windows(deadline.call());
    const said = windows.find(({ pid, popup }) => pid === application.pid && !popup)?.title ?? "";
    return /^(?:pressed \w+|missed)/.exec(said)?.[0];
  });
}

async function run(session: NativeSession, { program, args }: Case): Promise<void> {
  const { desktop } = session;
  const executable = program.split("/").at(-1) ?? "";
  prepareHome(executable, session.home ?? "/");
  const all = [...quirksOf(executable, session.home ?? "/"), ...args];
  const child = spawn(program, all, { env: session.environment, stdio: "ignore" });
  const finished = once(child, "exit");
  try {
    await until(
      desktop,
      "its window shows",
      async () =>
        (await desktop.windows()).some(({ pid, title }) => pid === child.pid && title.startsWith("ready")) ||
        undefined,
    );
    const application = await until(
      desktop,
      "it is there",
      async () => (await desktop.applications()).find(({ pid }) => pid === child.pid),
    );
    assert.equal(await clickMoving(desktop, application), "pressed still");
  } finally {
    child.kill("SIGKILL");
    await finished;
  }
}

Deno.test("a button that moves is pressed by the pointer once it stands still", async (t) => {
  const session = await openNative({ kind: "isolated" });
  try {
    for (const one of CASES) {
      await t.step({ name: one.name, ignore: !isInstalled(one.program), fn: () => run(session, one) });
    }
  } finally {
    await session.close();
  }
});
