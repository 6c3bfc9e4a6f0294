import assert from "node:assert/strict";
import { Deadline } from "../../base/call.ts";
import { instead } from "../_instead.ts";
import type { Window } from "../desktop.ts";
import { simulate } from "../simulated/simulate.ts";
import { awaitFocus } from "./focus.ts";

for (const [age, waits] of [[10, true], [5_000, false]] as const) {
  Deno.test(`keys wait for a window that came ${age} ms ago until it has the keyboard: ${waits}`, async () => {
    const real = simulate({ applications: ["sim.settings"] });
    const [application] = await real.applications();
    assert.ok(application);
    let active = false;
    const windows = async (): Promise<Window[]> =>
      (await real.windows()).map((window) => ({ ...window, age, active }));
    const timer = setTimeout(() => active = true, 60);
    assert.equal(await awaitFocus(instead(real, { windows }), application, Deadline.after(4_000)), waits);
    assert.equal(active, waits);
    clearTimeout(timer);
  });
}

Deno.test("keys wait until something in a new window says that it is focused, and not for ever", async () => {
  const real = simulate({ applications: ["sim.settings"] });
  const [application] = await real.applications();
  assert.ok(application);
  const windows = async (): Promise<Window[]> =>
    (await real.windows()).map((window) => ({ ...window, age: 10, active: true }));
  const whole = await real.snapshot(application);
  const unfocused = instead(real, {
    windows,
    // The application alone, and not what is in it.
    snapshot: (of, options) => real.snapshot(of, { ...options, maxDepth: 1 }),
  });
  assert.ok(Array.from({ length: whole.size }, (_, row) => row).some((row) => whole.has(row, "focused")));
  const from = performance.now();
  assert.equal(await awaitFocus(unfocused, application, Deadline.after(4_000)), true);
  assert.ok(performance.now() - from >= 390);
  const soon = performance.now();
  assert.equal(await awaitFocus(instead(real, { windows }), application, Deadline.after(4_000)), true);
  assert.ok(performance.now() - soon < 300);
});
