import assert from "node:assert/strict";
import type { Json } from "../../base/error.ts";
import type { StepLook, StepResult } from "../../contract/events.ts";
import { auditOf } from "./audit-view.ts";

function step(more: Partial<StepResult>): StepResult {
  return {
    path: "1",
    name: "a step",
    operation: "of any name",
    status: "failed",
    effect: "read",
    duration_ms: 1,
    ...more,
  };
}

function failedWith(details: { readonly [key: string]: Json }): StepResult {
  return step({ error: { code: "assertion", message: "Cannot", details } });
}

Deno.test("an audit is told by what it found, whatever the operation is called", () => {
  const issues = [{ rule: "label", severity: "serious", description: "It has no label", element: "button" }];
  assert.equal(auditOf(step({ output: { score: 90, issues } }), undefined)?.findings.length, 1);
  assert.equal(
    auditOf(failedWith({ score: 90, issues, summary: "score 90" }), undefined)?.summary,
    "score 90",
  );
});

Deno.test("findings lie in the pixels of the picture, whose corner is a window's, and of which a point may have two", () => {
  const issues = [{ rule: "label", position: [110, 60], size: [200, 22] }];
  const found = (look: Partial<StepLook>) =>
    auditOf(step({ output: { score: 90, issues } }), { at: 0, ...look })?.findings[0]?.rect;
  assert.deepEqual(found({}), { x: 110, y: 60, width: 200, height: 22 });
  assert.deepEqual(found({ corner: { x: 10, y: 30 } }), { x: 100, y: 30, width: 200, height: 22 });
  assert.deepEqual(found({ corner: { x: 10, y: 30 }, scale: 2 }), { x: 200, y: 60, width: 400, height: 44 });
});

Deno.test("faults of an input are no findings of an audit", () => {
  assert.equal(auditOf(failedWith({ issues: [{ path: "app", message: "Invalid" }] }), undefined), undefined);
});
