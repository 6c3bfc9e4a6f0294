import assert from "node:assert/strict";
import type { StepChange } from "../engine/run/step-change.ts";
import { proofOf } from "./proof.ts";

const SET: StepChange = {
  effect: "restorable",
  changed: [{ kind: "text", property: "text", left: "a1" }],
  opened: false,
};
const INPUT = { target: "button", value: "x" };

Deno.test("a candidate is proved by the same change, rolled back; by nothing else", () => {
  assert.equal(proofOf(SET, { change: SET, remains: false }, INPUT).verdict, "proved");
  const otherText: StepChange = { ...SET, changed: [{ kind: "text", property: "text", left: "b2" }] };
  assert.equal(proofOf(SET, { change: otherText, remains: false }, INPUT).verdict, "refuted");
  const more: StepChange = { ...SET, opened: true };
  assert.equal(proofOf(SET, { change: more, remains: false }, INPUT).verdict, "refuted");
  const nothing: StepChange = { ...SET, changed: [] };
  assert.equal(proofOf(SET, { change: nothing, remains: false }, INPUT).verdict, "refuted");
  assert.equal(proofOf(nothing, { change: nothing, remains: false }, INPUT).verdict, "unproved");
  const observed: StepChange = { ...SET, effect: "observed" };
  assert.equal(proofOf(SET, { change: observed, remains: false }, INPUT).verdict, "refuted");
  assert.equal(proofOf(undefined, { change: SET, remains: false }, INPUT).verdict, "unproved");
  assert.equal(proofOf(SET, { change: SET, remains: true }, INPUT).verdict, "unproved", "not rolled back");
});

Deno.test("what was not tried is unproved, what failed is refuted, and existence alone proves nothing", () => {
  const barrier = proofOf(SET, { error: { code: "barrier", message: "" }, remains: false }, INPUT);
  assert.deepEqual(barrier.verdict, "unproved");
  assert.match(barrier.reason, /cannot be undone/);
  const failed = { error: { code: "not_actionable", message: "it is covered" }, remains: false } as const;
  assert.equal(proofOf(SET, failed, INPUT).verdict, "refuted");
  const read = { change: { effect: "read", changed: [], opened: false }, remains: false } as const;
  assert.equal(proofOf(undefined, read, { target: "label", exists: true }).verdict, "unproved");
  assert.equal(proofOf(undefined, read, { target: "label", text: "x" }).verdict, "proved");
});
