import assert from "node:assert/strict";
import { Deadline } from "../src/base/call.ts";
import { typeText } from "../src/desktop/actions/type-text.ts";
import type { Desktop } from "../src/desktop/desktop.ts";
import { PATIENCE, withFixture } from "./_fixture.ts";

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

Deno.test("GTK 3: a field that has the focus and does not say so is clicked, and not waited for long", () =>
  withFixture("focus/gtk3.py", async ({ desktop, shows, window, application, element }) => {
    const running = await application();
    const field = await element(running, 'textfield[name="Field"]');
    const notebook = await element(running, "tablist");
    await desktop.act(field, { do: "focus" });
    await shows("first, focused");
    // As another program turns pages.
    for (const page of [1, 0]) await desktop.act(notebook, { do: "select", child: page });
    await window("in front", ({ active }) => active);

    const calls: string[] = [];
    const done = await typeText(noting(desktop, calls), field, " typed", Deadline.after(PATIENCE));
    assert.deepEqual([done.method, done.verified], ["XTEST keys", true]);
    await shows("first typed, focused");
    const waited = calls.slice(calls.indexOf("act"), calls.indexOf("pointer"));
    assert.deepEqual(waited.filter((call) => call !== "read"), ["act"], "the focus, and then a click");
    // It is looked for a quarter of a second; who waited as long as for another toolkit looked five times as often.
    assert.ok(waited.length <= 1 + 24, calls.join(" "));
  }));
