import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { typeText } from "../src/desktop/actions/type-text.ts";
import type { Desktop } from "../src/desktop/desktop.ts";
import { Locator } from "../src/desktop/locator/mod.ts";
import { openNative } from "../src/session/open-native.ts";
import { ROOT } from "./cli/program.ts";

const PATIENCE = 20_000;

async function until<T>(desktop: Desktop, what: string, look: () => Promise<T | undefined>): Promise<T> {
  const { last } = await untilDeadline(desktop, look, (now) => now !== undefined, Deadline.after(PATIENCE));
  if (last === undefined) throw new Error(`it never came to this: ${what}`);
  return last;
}

/** The same desktop, which notes what it is asked: readings, acts and gestures. */
function noting(desktop: Desktop, calls: string[]): Desktop {
  return new Proxy(desktop, {
    get(target, key) {
      if (key === "read" || key === "act" || key === "pointer" || key === "typeText") calls.push(key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

Deno.test("GTK 3: a field that has the focus and does not say so is clicked, and not waited for long", async () => {
  const session = await openNative({ kind: "isolated" });
  const { desktop } = session;
  const child = spawn("/usr/bin/python3", [join(ROOT, "tests/fixtures/focus/gtk3.py")], {
    env: session.environment,
    stdio: "ignore",
  });
  const finished = once(child, "exit");
  try {
    const title = async () => (await desktop.windows()).find(({ pid }) => pid === child.pid)?.title;
    const shows = async (wanted: string) => {
      const { last } = await untilDeadline(desktop, title, (now) => now === wanted, Deadline.after(PATIENCE));
      assert.equal(last, wanted);
    };
    const application = await until(
      desktop,
      "it is there",
      async () => (await desktop.applications()).find(({ pid }) => pid === child.pid),
    );
    const named = (selector: string) =>
      new Locator(desktop, { application, selector }).resolve({ state: "enabled", timeout: PATIENCE });
    const { element: field } = await named('textfield[name="Field"]');
    const { element: notebook } = await named("tablist");
    await desktop.act(field, { do: "focus" });
    await shows("first, focused");
    // As another program turns pages.
    for (const page of [1, 0]) await desktop.act(notebook, { do: "select", child: page });

    const isActive = async () =>
      (await desktop.windows()).some(({ pid, active }) => pid === child.pid && active);
    await until(desktop, "its window is in front", async () => await isActive() || undefined);

    const calls: string[] = [];
    const done = await typeText(noting(desktop, calls), field, " typed", Deadline.after(PATIENCE));
    assert.deepEqual([done.method, done.verified], ["XTEST keys", true]);
    await shows("first typed, focused");
    const waited = calls.slice(calls.indexOf("act"), calls.indexOf("pointer"));
    assert.deepEqual(waited.filter((call) => call !== "read"), ["act"], "the focus, and then a click");
    // It is looked for a quarter of a second; who waited as long as for another toolkit looked five times as often.
    assert.ok(waited.length <= 1 + 24, calls.join(" "));
  } finally {
    child.kill("SIGKILL");
    await finished;
    await session.close();
  }
});
