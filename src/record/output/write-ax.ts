import { BackstepError, type Json, type Place } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { asMap, isList, isMap } from "../../base/json.ts";
import { parseTemplate } from "../../engine/model/template.ts";
import { Faults } from "../../workflow/diagnostics.ts";
import type { ActionStep, FileInput, RecordedStep, Recording } from "./model.ts";
import { KEYS } from "./settings.ts";
import { standInFor, takesApp, toolCallOf } from "./tool-call.ts";

/** What braces a reference follows: `{{step_2.value}}`. */
const REFERENCE = /\{\{(?=\s*step_[1-9]\d*(?:\.[\p{L}\p{N}_-]+)*\s*\}\})/gu;
/** What of a file the arguments of `ax_workflow` say in their own way. */
const SAID: readonly string[] = ["app", "onFailure"];
/** What of a step they cannot say, each by its key in a file. */
const UNSAID: readonly (readonly [keyof ActionStep, string])[] = [
  ["id", "id"],
  ["name", "name"],
  ["timeout", "timeout"],
  ["soft", "soft"],
  ["irreversible", "irreversible"],
  ["undo", "undo"],
  ["doneWhen", "done_when"],
  ["changes", "changes"],
];

/**
 * The steps as arguments of `ax_workflow`. What these cannot say is refused: `workflow`, with each step, key and place, up to
 * 20.
 */
export function writeToolWorkflow(recording: Recording, file: string): string {
  const faults = new Faults();
  const { settings, places = {} } = recording;
  const start: Place = { file, line: 1, column: 1 };
  const refuse = (what: string, place: Place | undefined, why = "ax_workflow cannot say that") =>
    faults.add(place ?? start, `${what}: ${why}`, "Take it out of the file, or keep the file as YAML.");
  for (const [property, key] of KEYS) {
    if (settings[property] !== undefined && !SAID.includes(property)) refuse(`\`${key}:\``, places[key]);
  }
  if (settings.onFailure === "continue") refuse("`on_failure: continue`", places["on_failure"]);
  if (Object.keys(recording.vars).length > 0) refuse("`vars:`", places["vars"]);
  if (recording.before.length > 0) refuse("`before:`", places["before"]);
  if (recording.after.length > 0) refuse("`after:`", places["after"]);
  const usual = settings.onFailure === "stop" ? "abort" : "rollback";
  const steps = recording.steps.map((step, index) => {
    const what = `step ${index + 1}`;
    try {
      return callOf(step, { what, app: settings.app, usual, refuse });
    } catch (thrown) {
      if (!(thrown instanceof BackstepError)) throw thrown;
      refuse(what, step.place, thrown.message);
      return null;
    }
  });
  faults.throwIfAny(file);
  return `${JSON.stringify({ name: recording.name, steps }, null, 2)}\n`;
}

/** A step that `ax_workflow` cannot say. */
export interface LeftOut {
  /** Its number in the recording, from 1, and how many of the calls come before it. */
  readonly step: number;
  readonly after: number;
  readonly operation: string;
  readonly why: string;
}

/**
 * What `ax_workflow` can say of the steps, and what it cannot, by name. Unlike `writeToolWorkflow` it also takes calls that do
 * the same in other words.
 */
export function toolStepsOf({ settings: { app }, steps }: Recording): {
  readonly steps: readonly Json[];
  readonly leftOut: readonly LeftOut[];
} {
  const calls: Json[] = [], leftOut: LeftOut[] = [];
  for (const [index, step] of steps.entries()) {
    const why: string[] = [];
    let call: Json = null;
    try {
      const around = {
        what: "it",
        app,
        usual: "abort" as const,
        refuse: (what: string) => void why.push(what),
      };
      call = callOf(step, { ...around, standsIn: true });
    } catch (thrown) {
      if (!(thrown instanceof BackstepError)) throw thrown;
      why.push(thrown.message);
    }
    const operation = step.kind === "action" ? step.operation : step.kind;
    if (why.length === 0) calls.push(call);
    else leftOut.push({ step: index + 1, after: calls.length, operation, why: why.join("; ") });
  }
  return { steps: calls, leftOut };
}

interface Around {
  readonly what: string;
  readonly app: string | undefined;
  readonly usual: "abort" | "rollback";
  /** A call that does the same in other words is as good. */
  readonly standsIn?: boolean;
  refuse(what: string, place: Place | undefined, why?: string): void;
}

function callOf(step: RecordedStep, { what, app, usual, standsIn = false, refuse }: Around): Json {
  if (step.kind !== "action") {
    refuse(`${what} is \`${step.kind}:\``, step.place);
    return null;
  }
  for (const [property, key] of UNSAID) {
    if (step[property] !== undefined) refuse(`${what} has \`${key}:\``, step.place);
  }
  const input = inApp(step, app);
  const other = standsIn ? standInFor(step.operation, input) : undefined;
  const { tool, args } = other ?? toolCallOf(step.operation, input);
  const onFail = step.optional === true ? "skip" : step.onFail ?? usual;
  return defined({
    tool,
    args: asMap(referring(args)),
    on_fail: onFail === "abort" ? undefined : onFail,
    wait_after_ms: step.waitAfter,
    retry: step.retry,
  });
}

/** The input with the file's application, which the tools have no default for. */
function inApp({ operation, input }: ActionStep, app: string | undefined): FileInput {
  if (app === undefined || !takesApp(operation)) return input;
  const end = (target: Json): Json =>
    typeof target === "string" ? { selector: target, app } : isMap(target) ? { app, ...target } : target;
  const ends = ["target", "into", "from", "to"].flatMap((key) => {
    const target = input[key];
    const point = isMap(target) && target["selector"] === undefined;
    return target === undefined || point ? [] : [[key, end(target)] as const];
  });
  return ends.length > 0 ? { ...input, ...Object.fromEntries(ends) } : { app, ...input };
}

/** Texts of a file as `ax_workflow` has them: only references to answers are placeholders there. */
function referring(value: Json): Json {
  if (isList(value)) return value.map(referring);
  if (isMap(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, referring(one)]));
  }
  if (typeof value !== "string") return value;
  const template = parseTemplate(value, () => ({ file: "", line: 1, column: 1 }));
  if (typeof template === "string") return literal(template);
  if (template === null || typeof template !== "object") return template;
  const parts = template.kind === "interpolated"
    ? template.parts
    : template.kind === "placeholder"
    ? [template]
    : [];
  return parts.map((part) => {
    if (typeof part === "string") return literal(part);
    if (/^step_\d+$/.test(part.path[0] ?? "")) return part.source;
    throw new BackstepError("invalid", `ax_workflow cannot say ${part.source}`);
  }).join("");
}

function literal(text: string): string {
  if (!/\{\{\{\s*step_/.test(text)) return text.replaceAll(REFERENCE, "{{{{");
  throw new BackstepError("invalid", "ax_workflow cannot say three braces before the name of a step");
}
