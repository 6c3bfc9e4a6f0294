import type { Json } from "../../base/error.ts";
import { fill } from "../model/fill.ts";
import type { Scope } from "../model/scope.ts";
import type { Condition, Step, Template } from "../model/step.ts";

/** Keys that hold where something stands, and steps that are compared when their own turn comes. */
const PASSED_OVER: ReadonlySet<string> = new Set(["place", "steps", "then", "else"]);

/**
 * What a step says and means here, as text: two that have the same do the same. Where it stands in its file does not matter; what
 * its placeholders stand for does. The steps inside of it are left out, but for those of its `undo:`.
 */
export function meaningOf(step: Step, scope: Scope, app: string | undefined): string {
  const { undo, workflow, ...own } = { undo: undefined, workflow: undefined, ...step };
  const other = workflow && { file: workflow.file, vars: workflow.vars, app: workflow.app };
  return JSON.stringify([
    app ?? null,
    text(own, PASSED_OVER),
    text(undo, new Set(["place"])),
    text(other, PASSED_OVER),
    ...filledIn(step, scope),
  ]);
}

function text(value: unknown, without: ReadonlySet<string>): string {
  return JSON.stringify(value, (key, inner) => without.has(key) ? undefined : inner) ?? "";
}

function filledIn(step: Step, scope: Scope): Json[] {
  const conditions: Condition[] = [];
  if (step.if) conditions.push(step.if);
  const templates: (Template | undefined)[] = [];
  if (step.kind === "operation") templates.push(step.input);
  if (step.kind === "if") conditions.push(step.condition);
  if (step.kind === "repeat") templates.push(step.times);
  if (step.kind === "for_each") templates.push(step.in);
  if (step.kind === "run") templates.push(step.with);
  for (const condition of conditions) {
    if (condition.kind === "assert") templates.push(condition.input);
    else templates.push(condition.left, condition.right);
  }
  return templates.map((template) => template === undefined ? null : tried(template, scope));
}

/** What cannot be filled in yet is not the same as what could. */
function tried(template: Template, scope: Scope): Json {
  try {
    return [fill(template, scope)];
  } catch {
    return null; // the step itself tells why, when its turn comes
  }
}
