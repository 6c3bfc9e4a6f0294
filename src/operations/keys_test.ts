import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import type { Fault } from "../desktop/simulated/faults.ts";
import { unmet } from "../checks/unmet.ts";
import { fixture } from "./_context.ts";
import { milliseconds } from "./duration.ts";
import { parseKeys } from "./keys.ts";

Deno.test("keys are read as chords in order", () => {
  assert.deepEqual(parseKeys("ctrl+s"), [["ctrl", "s"]]);
  assert.deepEqual(parseKeys("Control+Shift+Tab Escape"), [["ctrl", "shift", "Tab"], ["Escape"]]);
  assert.deepEqual(parseKeys("ctrl++ + ctrl+shift++"), [["ctrl", "+"], ["+"], ["ctrl", "shift", "+"]]);
  assert.deepEqual(parseKeys("opt+cmd+a"), [["alt", "super", "a"]]);
});

Deno.test("keys that lack a key are invalid", () => {
  for (const keys of ["", "  ", "ctrl+", "+s", "ctrl+++s"]) {
    assert.throws(() => parseKeys(keys), (e) => e instanceof BackstepError && e.code === "invalid", keys);
  }
});

Deno.test("durations are milliseconds or have a unit", () => {
  assert.deepEqual([20, "20ms", "2s", "0.5m"].map((d) => milliseconds(d)), [20, 20, 2_000, 30_000]);
});

Deno.test("expectations compare text and numbers alike", () => {
  const meets = (...both: Parameters<typeof unmet>) => unmet(...both) === undefined;
  assert.ok(meets("5", 5) && meets(5, "5") && meets("true", true) && meets({ gte: 5, lte: 5 }, "5"));
  assert.ok(!meets(5, "") && !meets({ gt: -1 }, "") && !meets({ lt: 9 }, null) && !meets(0, ""));
  assert.ok(meets({ not: "a" }, "b") && !meets({ not: "a" }, "a") && meets("", null));
});

Deno.test("keys of which the first were pressed are not said to be not sent", async () => {
  const faults = (at: number): Fault[] => [
    { fault: "timeout", landed: false, outcome: "not_sent", when: { call: "pressKeys", at } },
  ];
  for (const [at, outcome] of [[1, "not_sent"], [2, "unknown"]] as const) {
    await using desk = fixture(["sim.settings"], { faults: faults(at) });
    const error = await desk.fail("press", { keys: "Tab Tab" });
    assert.deepEqual([error.code, error.details?.["outcome"]], ["timeout", outcome]);
  }
});

Deno.test("no word of every object's own is taken for a modifier", () => {
  assert.deepEqual(parseKeys("constructor+s"), [["constructor", "s"]]);
});

Deno.test("a key that does not exist is refused before the first one is pressed", async () => {
  await using desk = fixture(["sim.settings"]);
  const error = await desk.fail("press", { keys: "Tab NoSuchKey" });
  assert.equal(error.code, "invalid");
  assert.deepEqual(desk.desktop.log.entries.filter((entry) => entry.did === "pressKeys"), []);
});
