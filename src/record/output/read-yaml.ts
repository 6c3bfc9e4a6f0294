import { BackstepError, type Json, type Place } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { asMap } from "../../base/json.ts";
import type { Condition, OperationStep, Step, Template, Workflow } from "../../engine/model/step.ts";
import { readDocument } from "../../workflow/document.ts";
import { Faults } from "../../workflow/diagnostics.ts";
import { type ParseOptions, parseWorkflow } from "../../workflow/parse.ts";
import type { ActionStep, Asserted, RecordedStep, Recording, Settings } from "./model.ts";

/** What a reader needs beside the text. */
export type ReadOptions = Pick<ParseOptions, "file" | "operations" | "checkSelector">;

/**
 * A workflow file as a list of steps. Conditions, loops and other files have no place in one: `workflow`, with each by name
 * and place.
 */
export function readYaml(source: Uint8Array | string, options: ReadOptions): Recording {
  const workflow = parseWorkflow(source, options);
  const faults = new Faults();
  const node = readDocument(source, options.file, faults);
  const places: Record<string, Place> = {};
  if (node?.kind === "map") { for (const { key, keyPlace } of node.entries) places[key] = keyPlace; }
  if (workflow.cases !== undefined) {
    const place = places["cases"] ?? { file: options.file, line: 1, column: 1 };
    faults.add(
      place,
      "the file has `cases:`, which a list of steps cannot say",
      "Take them out of the file.",
    );
  }
  const steps = (list: readonly Step[], part: string) =>
    list.flatMap((step, index) => recorded(step, `${part}${index + 1}`, faults) ?? []);
  const recording: Recording = {
    name: workflow.name,
    settings: settingsOf(workflow),
    vars: Object.fromEntries(
      Object.entries(workflow.vars).map(([name, { place: _, ...variable }]) => [name, variable] as const),
    ),
    before: steps(workflow.before, "before."),
    steps: steps(workflow.steps, ""),
    after: steps(workflow.after, "after."),
    places,
  };
  faults.throwIfAny(options.file);
  return recording;
}

function settingsOf(workflow: Workflow): Settings {
  const { description, app, session, mode, desktop, secretSources, timeout, onConflict, onInterference } =
    workflow;
  const { durability, rollback, expect, locks, needs, skip, tags, secrets, files, onFailure } = workflow;
  const listed = (list: readonly string[]) => list.length > 0 ? list : undefined;
  return defined({
    description,
    tags: listed(tags),
    app,
    session,
    mode,
    desktop,
    secrets: listed(secrets),
    secretSources,
    files: listed(files),
    timeout,
    onFailure: onFailure === "rollback" ? undefined : onFailure,
    onConflict,
    onInterference,
    durability,
    rollback,
    expect,
    locks,
    needs,
    skip,
  });
}

/** A step of the engine as one of a list; undefined: it has no place there, and the fault is noted. */
export function recorded(step: Step, path: string, faults: Faults): RecordedStep | undefined {
  const { place } = step;
  const refuse = (what: string) => {
    faults.add(
      place,
      `step ${path} has ${what}, which a list of steps cannot say`,
      "Take it out of the file.",
    );
    return undefined;
  };
  if (step.if !== undefined) return refuse("`if:`");
  switch (step.kind) {
    case "operation":
      return actionOf(step, path, faults);
    case "transaction": {
      if (step.composed !== undefined) return refuse("a call of ax_workflow");
      if (step.timeout !== undefined || step.id !== undefined) {
        return refuse("`id:` or `timeout:` of a transaction");
      }
      const { name, retry, optional } = step;
      const steps = step.steps.flatMap((one, index) => recorded(one, `${path}.${index + 1}`, faults) ?? []);
      return { kind: "transaction", ...defined({ name, retry, optional }), steps, place };
    }
    case "savepoint":
    case "rollback_to":
      return { kind: step.kind, savepoint: step.savepoint, place };
    case "undo":
      return refuse(`a call of ${step.tool}`);
    default:
      return refuse(`\`${step.kind}:\``);
  }
}

function actionOf(step: OperationStep, path: string, faults: Faults): ActionStep | undefined {
  const { operation, id, name, timeout, retry, optional, soft, irreversible, tool, waitAfter, place } = step;
  try {
    const undo = step.undo && {
      steps: step.undo.steps.flatMap((one, index) =>
        recorded(one, `${path}.undo.${index + 1}`, faults) ?? []
      ),
      ...(step.undo.guard === undefined ? {} : { guard: asserted(step.undo.guard, path) }),
    };
    const onFail = step.onFail === "skip" ? undefined : step.onFail;
    return {
      kind: "action",
      operation,
      input: asMap(textOf(step.input)),
      ...defined({ id, name, timeout, retry, soft, irreversible, tool, waitAfter, onFail, undo }),
      ...(optional === true || step.onFail === "skip" ? { optional: true } : {}),
      ...(step.doneWhen === undefined ? {} : { doneWhen: asserted(step.doneWhen, path) }),
      ...(step.changes === undefined ? {} : {
        changes: defined({ only: listOf(step.changes.only), include: listOf(step.changes.include) }),
      }),
      place,
    };
  } catch (thrown) {
    faults.addThrown(thrown, place);
    return undefined;
  }
}

function listOf(templates: readonly Template[] | undefined): Json | undefined {
  return templates?.map(textOf);
}

function asserted(condition: Condition, path: string): Asserted {
  if (condition.kind === "assert") {
    return { input: asMap(textOf(condition.input)), negate: condition.negate };
  }
  throw new BackstepError(
    "workflow",
    `step ${path} compares with \`equals:\`, which a list of steps cannot say`,
    { place: condition.place },
  );
}

/** A template as the file writes it. */
export function textOf(template: Template): Json {
  if (template === null || typeof template === "number" || typeof template === "boolean") return template;
  if (typeof template === "string") return template.replaceAll("{{", "{{{{");
  switch (template.kind) {
    case "placeholder":
      return template.source;
    case "interpolated":
      return template.parts.map((part) =>
        typeof part === "string" ? part.replaceAll("{{", "{{{{") : part.source
      ).join("");
    case "list":
      return template.items.map(textOf);
    case "map":
      return Object.fromEntries(template.entries.map(([key, value]) => [key, textOf(value)] as const));
  }
}
