import { defined } from "../../base/defined.ts";
import { isMap } from "../../base/json.ts";
import { placeholders } from "../../engine/model/template.ts";
import type { OperationStep, Step } from "../../engine/model/step.ts";
import { Faults } from "../../workflow/diagnostics.ts";
import { parseToolWorkflow } from "../../workflow/tool-workflow.ts";
import type { ActionStep, FileInput, RecordedStep, Recording } from "./model.ts";
import { type ReadOptions, recorded } from "./read-yaml.ts";
import { hasTool, plainInput, takesApp } from "./tool-call.ts";

/** Where an input can say its application beside itself. */
const ENDS = ["target", "into", "from", "to"];

/**
 * The arguments of `ax_workflow`, as JSON, as a list of steps. A step that verbs cannot say (`wait_after_ms`, references to
 * answers, `on_fail` unlike the others) stays a call of its tool. `workflow` for tools that have no counterpart here.
 */
export function readToolWorkflow(source: Uint8Array | string, options: ReadOptions): Recording {
  const whole = parseToolWorkflow(source, options);
  const faults = new Faults();
  const calls = whole.steps.flatMap((step, index) => callOf(step, index + 1, faults) ?? []);
  const refer = calls.some(({ input }) => [...placeholders(input)].length > 0);
  const rolledBack = calls.some(({ onFail }) => onFail === "rollback") &&
    !calls.some(({ onFail }) => onFail === "abort");
  const steps = calls.flatMap((call, index) => {
    const step = recorded(call, String(index + 1), faults);
    return step?.kind === "action"
      ? [plainer(step, { refer, usual: rolledBack ? "rollback" : "abort" })]
      : [];
  });
  faults.throwIfAny(options.file);
  const app = refer ? undefined : commonApp(steps);
  return {
    name: whole.name ?? "tool calls",
    settings: defined({ app, onFailure: rolledBack ? undefined : "stop" as const }),
    vars: {},
    before: [],
    steps: app === undefined ? steps : steps.map((step) => ({ ...step, input: withoutApp(step) })),
    after: [],
  };
}

function callOf(step: Step, number: number, faults: Faults): OperationStep | undefined {
  if (step.kind === "operation" && hasTool(step.operation)) return step;
  const tool = step.kind === "operation" || step.kind === "undo" ? step.tool : undefined;
  faults.add(step.place, `step ${number} calls ${tool ?? "a tool"}, which cannot be converted`);
  return undefined;
}

/** As verbs say it, where they can. */
function plainer(
  { tool, onFail, ...step }: ActionStep,
  { refer, usual }: { refer: boolean; usual: "rollback" | "abort" },
): ActionStep {
  const differs = onFail !== undefined && onFail !== usual;
  const raw = refer || differs || (step.waitAfter ?? 0) > 0;
  const { waitAfter, retry, ...rest } = step;
  return {
    ...rest,
    input: raw ? step.input : plainInput(step.input),
    ...((retry ?? 0) > 0 ? defined({ retry }) : {}),
    ...(raw ? { ...defined({ tool }), ...((waitAfter ?? 0) > 0 ? defined({ waitAfter }) : {}) } : {}),
    ...(differs ? { onFail } : {}),
  };
}

/** The application of all steps, where it is one. */
function commonApp(steps: readonly ActionStep[]): string | undefined {
  const apps = new Set(steps.filter(isInside).map(appOf));
  const [only] = apps;
  return apps.size === 1 ? only : undefined;
}

/** Launching and quitting name their application always, and a place of the screen has none. */
function isInside({ operation }: RecordedStep & { readonly operation: string }): boolean {
  return takesApp(operation);
}

function appOf({ input }: ActionStep): string | undefined {
  const named = [input["app"], ...ENDS.map((end) => isMap(input[end]) ? input[end]["app"] : undefined)];
  const apps = named.filter((app) => app !== undefined);
  return typeof apps[0] === "string" && apps.every((app) => app === apps[0]) ? apps[0] : undefined;
}

function withoutApp(step: ActionStep): FileInput {
  if (!isInside(step)) return step.input;
  const { app: _, ...input } = step.input;
  const ends = ENDS.flatMap((end) => {
    const target = input[end];
    if (!isMap(target) || target["selector"] === undefined) return [];
    const { app: _, ...rest } = target;
    return [[end, rest] as const];
  });
  return plainInput({ ...input, ...Object.fromEntries(ends) });
}
