import { dirname, relative } from "node:path";
import { stringify } from "yaml";
import { BackstepError, type Json } from "../base/error.ts";
import type { Operation } from "../contract/operation.ts";
import type { Condition, Step, Template, Variable, Workflow } from "../engine/step.ts";

type Map = { readonly [key: string]: Json };

/**
 * Prints a workflow as YAML that parses to the same workflow. Shorthands and comments of the file it came from are not
 * kept: inputs are written as maps, and tools as the operations they are, without `wait_after_ms` and `on_fail`, which
 * only the raw form has; an irreversible one is a barrier then, where the raw form counts it as declared.
 *
 * Throws `internal` for a step whose operation has no YAML verb.
 */
export function printWorkflow(workflow: Workflow, operations: Iterable<Operation>): string {
  const verbs = new Map([...operations].flatMap((o) => o.views.yaml ? [[o.name, o.views.yaml.verb]] : []));
  const list = (steps: readonly Step[]) => steps.map((step) => printStep(step, workflow, verbs));
  const { name, description, tags, app, session, mode, vars, files, timeout } = workflow;
  const { onFailure, expect } = workflow;
  const document = compact({
    name,
    description,
    tags: tags.length > 0 ? tags : undefined,
    app,
    session,
    mode,
    vars: Object.keys(vars).length > 0 ? printVariables(vars) : undefined,
    secrets: printSecrets(workflow),
    files: files.length > 0 ? files : undefined,
    timeout,
    on_failure: onFailure === "rollback" ? undefined : onFailure,
    on_conflict: workflow.onConflict,
    on_interference: workflow.onInterference,
    durability: workflow.durability,
    rollback: workflow.rollback,
    expect: expect && compact({ ...expect }),
    locks: workflow.locks,
    needs: workflow.needs && { ...workflow.needs },
    skip: workflow.skip,
    before: workflow.before.length > 0 ? list(workflow.before) : undefined,
    steps: list(workflow.steps),
    after: workflow.after.length > 0 ? list(workflow.after) : undefined,
  });
  return stringify(document, { lineWidth: 100, version: "1.2", aliasDuplicateObjects: false });
}

function printSecrets({ secrets, secretSources }: Workflow): Json | undefined {
  if (secrets.length === 0) return undefined;
  if (!secretSources) return [...secrets];
  return Object.fromEntries(
    secrets.map((name) => [name, { ...secretSources[name] ?? { env: name } }] as const),
  );
}

function printVariables(vars: Readonly<Record<string, Variable>>): Map {
  return Object.fromEntries(
    Object.entries(vars).map(([name, { type, default: fallback, description }]): [string, Json] => {
      const short = fallback !== undefined && description === undefined && type !== "map";
      return [name, short ? fallback : compact({ type, default: fallback, description })];
    }),
  );
}

function printStep(step: Step, workflow: Workflow, verbs: ReadonlyMap<string, string>): Map {
  const list = (steps: readonly Step[]) => steps.map((inner) => printStep(inner, workflow, verbs));
  const common = printCommon(step);
  switch (step.kind) {
    case "operation": {
      const verb = verbs.get(step.operation);
      if (verb === undefined) {
        throw new BackstepError("internal", `Cannot print the step ${step.operation}: it has no YAML verb`);
      }
      const { undo, doneWhen, irreversible, changes, soft } = step;
      return {
        [verb]: printTemplate(step.input),
        ...common,
        ...compact({
          undo: undo &&
            (undo.guard ? { guard: printCondition(undo.guard), steps: list(undo.steps) } : list(undo.steps)),
          done_when: doneWhen && printCondition(doneWhen),
          irreversible,
          soft,
          changes: changes &&
            compact({ only: changes.only?.map(printTemplate), include: changes.include?.map(printTemplate) }),
        }),
      };
    }
    case "transaction":
      return { transaction: list(step.steps), ...common };
    case "savepoint":
      return { savepoint: step.savepoint, ...common };
    case "rollback_to":
      return { rollback_to: step.savepoint, ...common };
    case "undo":
      return { tool: "ax_undo", args: { count: step.count }, ...common };
    case "if":
      return {
        if: printCondition(step.condition),
        then: list(step.then),
        ...(step.else.length > 0 ? { else: list(step.else) } : {}),
        ...common,
      };
    case "repeat":
      return {
        repeat: compact({
          times: step.times === undefined ? undefined : printTemplate(step.times),
          until: step.until && printCondition(step.until),
          steps: list(step.steps),
        }),
        ...common,
      };
    case "for_each":
      return { for_each: { in: printTemplate(step.in), as: step.as, steps: list(step.steps) }, ...common };
    case "run":
      return {
        run: relative(dirname(workflow.file), step.workflow.file),
        with: printTemplate(step.with),
        ...common,
      };
  }
}

function printCommon(step: Step): Map {
  const { id, name, timeout, optional } = step;
  const retry = "retry" in step ? step.retry : undefined;
  // The condition of an `if` step is its verb; every other step may have one of its own.
  const condition = step.kind === "if" || step.if === undefined ? undefined : printCondition(step.if);
  return compact({ id, name, if: condition, timeout, retry, optional });
}

function printCondition(condition: Condition): Json {
  const inner: Json = condition.kind === "equals"
    ? { equals: [printTemplate(condition.left), printTemplate(condition.right)] }
    : printTemplate(condition.input);
  return condition.negate ? { not: inner } : inner;
}

/** A template as it is written: literal `{{` doubled, placeholders as they were. */
function printTemplate(template: Template): Json {
  if (typeof template === "string") return escape(template);
  if (template === null || typeof template !== "object") return template;
  switch (template.kind) {
    case "placeholder":
      return template.source;
    case "interpolated":
      return template.parts.map((part) => typeof part === "string" ? escape(part) : part.source).join("");
    case "list":
      return template.items.map(printTemplate);
    case "map":
      return Object.fromEntries(template.entries.map(([key, value]) => [key, printTemplate(value)] as const));
  }
}

function escape(text: string): string {
  return text.replaceAll("{{", "{{{{");
}

function compact(map: { readonly [key: string]: Json | undefined }): Map {
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(map)) if (value !== undefined) kept.push([key, value]);
  return Object.fromEntries(kept);
}
