import assert from "node:assert/strict";
import type { Json } from "../../base/error.ts";
import type { StepResult } from "../../contract/events.ts";
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

Deno.test("faults of an input are no findings of an audit", () => {
  assert.equal(auditOf(failedWith({ issues: [{ path: "app", message: "Invalid" }] }), undefined), undefined);
});
