import assert from "node:assert/strict";
import { tried, tryOf } from "../report/tests/_events.ts";
import type { RunResult } from "../contract/events.ts";
import { exitOf, judge, statusOf } from "./judge.ts";

function run(more: Partial<RunResult>): RunResult {
  const { result } = tryOf("a.yaml", 1, "failed");
  assert.ok(result);
  return { ...result, ...more };
}
const rollback = (verdict: RunResult["rollback"]["verdict"]) => ({
  verdict,
  steps: [],
  drift: [],
  enrolled: [],
});

Deno.test("without an `expect:` a file is as its run", () => {
  assert.equal(judge("a.yaml", run({})).exit, 1);
  assert.equal(judge("a.yaml", run({ status: "passed", exit: 0 })).status, "passed");
  assert.deepEqual(
    judge("a.yaml", run({ status: "cancelled", exit: 130, expected: true })).status,
    "cancelled",
  );
});

Deno.test("an `expect:` that is met passes with 0, drift and a failed rollback too", () => {
  for (const [exit, verdict] of [[1, "restored"], [3, "drift"], [4, "failed"]] as const) {
    const { status, exit: code } = judge(
      "a.yaml",
      run({ exit, rollback: rollback(verdict), expected: true }),
    );
    assert.deepEqual([status, code], ["passed", 0], verdict);
  }
});

Deno.test("no `expect:` covers an action of which nobody knows whether it happened", () => {
  assert.equal(judge("a.yaml", run({ exit: 4, rollback: rollback("restored"), expected: true })).exit, 4);
});

Deno.test("an `expect:` that is not met fails, and keeps the graver code", () => {
  assert.equal(judge("a.yaml", run({ status: "passed", exit: 0, expected: false })).exit, 1);
  assert.equal(judge("a.yaml", run({ exit: 3, rollback: rollback("drift"), expected: false })).exit, 3);
});

Deno.test("a file that passes at last is flaky when it did not at first", () => {
  assert.equal(statusOf([tryOf("a", 1, "failed"), tryOf("a", 2, "passed")]), "flaky");
  assert.equal(statusOf([tryOf("a", 1, "passed")]), "passed");
  assert.equal(statusOf([tryOf("a", 1, "failed"), tryOf("a", 2, "failed")]), "failed");
});

Deno.test("the exit code is the gravest; flaky counts only when asked; an interrupt is 130 unless something graver is left", () => {
  const files = (...exits: number[]) =>
    exits.map((exit) => tried("a", exit === 0 ? "passed" : "failed", { exit }));
  const usual = { interrupted: false, timedOut: false, failOnFlaky: false };
  assert.equal(exitOf(files(0, 1, 2, 0), usual), 2);
  assert.equal(exitOf(files(3, 4, 1), usual), 4);
  assert.equal(exitOf([], usual), 0);
  const flaky = [tried("a", "flaky"), tried("b", "skipped")];
  assert.equal(exitOf(flaky, usual), 0);
  assert.equal(exitOf(flaky, { ...usual, failOnFlaky: true }), 1);
  assert.equal(exitOf(files(0, 1, 130), { ...usual, interrupted: true }), 130);
  assert.equal(exitOf(files(3), { ...usual, interrupted: true }), 3);
  assert.equal(exitOf(files(0, 130), { ...usual, timedOut: true }), 1);
  assert.equal(exitOf(files(0, 2), { ...usual, timedOut: true }), 2);
});
