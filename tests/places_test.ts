import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import type { Application, Desktop } from "../src/desktop/desktop.ts";
import { centre } from "../src/desktop/rect.ts";
import { type NativeSession, openNative } from "../src/session/open-native.ts";
import { prepareHome, quirksOf } from "../src/session/quirks.ts";
import { ROOT } from "./cli/program.ts";
import { isInstalled } from "./_installed.ts";

/** A program that shows 24 buttons and says in its title which was pressed, and with what button of the mouse. */
interface Case {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const PYTHON = "/usr/bin/python3";
const fixture = (name: string) => join(ROOT, "tests/fixtures/places", name);
const GDK = { GDK_SCALE: "2" };
const QT = { QT_SCALE_FACTOR: "2" };
/** What Qt 6 makes of 110 dots an inch. */
const DOTS = { QT_SCALE_FACTOR: `${110 / 96}` };

const CASES: readonly Case[] = [
  { name: "GTK 3, header bar", program: PYTHON, args: [fixture("gtk3.py"), "client"], environment: GDK },
  { name: "GTK 3, title bar", program: PYTHON, args: [fixture("gtk3.py"), "server"], environment: GDK },
  { name: "GTK 4", program: PYTHON, args: [fixture("gtk4.py")], environment: GDK },
  { name: "Qt 5", program: PYTHON, args: [fixture("qt.py"), "5"], environment: QT },
  { name: "Qt 6", program: PYTHON, args: [fixture("qt.py"), "6"], environment: QT },
  {
    name: "Qt 5, 110 dots an inch",
    program: PYTHON,
    args: [fixture("qt.py"), "5"],
    environment: DOTS,
  },
  {
    name: "Qt 6, 110 dots an inch",
    program: PYTHON,
    args: [fixture("qt.py"), "6"],
    environment: DOTS,
  },
  {
    name: "Chromium",
    program: "/usr/bin/chromium",
    args: ["--force-device-scale-factor=2", `file://${fixture("page.html")}`],
  },
  {
    name: "Firefox",
    program: "/usr/bin/firefox-esr",
    args: [`file://${fixture("page.html")}`],
    environment: GDK,
  },
];

async function until<T>(desktop: Desktop, what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Deadline.after(20_000);
  const watch = desktop.watch();
  try {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (deadline.passed) throw new Error(`it never came to this: ${what}`);
      await watch.next({ timeout: 50 });
      watch.take();
    }
  } finally {
    watch.close();
  }
}

/** The places of the buttons by their name, once all are there and lie where they lay at the look before. */
function places(desktop: Desktop, application: Application) {
  let last = "";
  return until(desktop, "24 buttons lie still", async () => {
    const tree = await desktop.snapshot(application);
    const found = new Map<string, { x: number; y: number }>();
    for (let row = 0; row < tree.size; row++) {
      const rect = tree.rect(row);
      if (/^B\d+$/.test(tree.name(row)) && rect && rect.width > 0) found.set(tree.name(row), centre(rect));
    }
    const now = JSON.stringify([...found]);
    const still = found.size === 24 && now === last;
    last = now;
    return still ? found : undefined;
  });
}

async function clickAll(session: NativeSession, { program, args, environment = {} }: Case): Promise<void> {
  const { desktop } = session;
  const executable = program.split("/").at(-1) ?? "";
  prepareHome(executable, session.home ?? "/");
  const all = [...quirksOf(executable, session.home ?? "/"), ...args];
  const child = spawn(program, all, { env: { ...session.environment, ...environment }, stdio: "ignore" });
  const finished = once(child, "exit");
  try {
    const mine = async () => (await desktop.windows()).find(({ pid, popup }) => pid === child.pid && !popup);
    await until(
      desktop,
      "its window shows",
      async () => (await mine())?.title.startsWith("none") || undefined,
    );
    const application = await until(
      desktop,
      "it is there",
      async () => (await desktop.applications()).find(({ pid }) => pid === child.pid),
    );
    const placed = await places(desktop, application);
    for (const [kind, button] of [["left", 1], ["right", 3]] as const) {
      for (let n = 0; n < 24; n++) {
        const at = placed.get(`B${n}`);
        assert.ok(at);
        await desktop.pointer({ do: "click", ...at, button: kind, count: 1 });
        const expected = `${n} ${button}`;
        await until(
          desktop,
          `${kind} click ${n} of ${program} shows "${expected}"; ${JSON.stringify(at)}`,
          async () => (await mine())?.title.startsWith(expected) || undefined,
        );
      }
    }
  } finally {
    child.kill("SIGKILL");
    await finished;
  }
}

Deno.test("at twice the size, and scaled by dots, 24 of 24 buttons are hit by their place, with the left and the right button", async (t) => {
  const session = await openNative({ kind: "isolated", width: 1_600, height: 1_200 });
  try {
    for (const one of CASES) {
      await t.step({
        name: one.name,
        ignore: !isInstalled(one.program),
        fn: () => clickAll(session, one),
      });
    }
  } finally {
    await session.close();
  }
});
