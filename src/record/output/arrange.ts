import { asMap, isMap } from "../../base/json.ts";
import type { Effect } from "../../contract/effect.ts";
import { defined } from "../../base/defined.ts";
import type { ActionStep, RecordedStep, Recording } from "./model.ts";

/** Letters from which a repeated text becomes a variable. */
const SHORTEST = 3;
/** Steps that a button must end to make a transaction of them. */
const FEWEST = 2;
/** Where an input holds a text that a person entered. */
const ENTERED = ["value", "text"];

/** A recording as a person would write it: repeated texts are variables, and what belongs together is a transaction. */
export function arranged(recording: Recording): Recording {
  return withTransactions(withUndoHints(withVariables(recording)));
}

/**
 * Texts that were entered, and occur in another step, as variables: those named after the field, `{{vars.name}}`. Secrets are
 * placeholders already.
 */
export function withVariables(recording: Recording): Recording {
  const counts = new Map<string, { count: number; field: string }>();
  const actions = recording.steps.flatMap(actionsIn);
  for (const { input } of actions) {
    for (const key of ENTERED) {
      const text = input[key];
      if (typeof text !== "string" || text.length < SHORTEST || text.includes("{{")) continue;
      const existing = counts.get(text);
      counts.set(text, {
        count: (existing?.count ?? 0) + 1,
        field: existing?.field ?? fieldOf(input) ?? "text",
      });
    }
  }
  const taken = new Set(Object.keys(recording.vars));
  const names = new Map<string, string>();
  for (const [text, { count, field }] of counts) {
    if (count < 2) continue;
    const name = free(field, taken);
    taken.add(name);
    names.set(text, name);
  }
  if (names.size === 0) return recording;
  const vars = Object.fromEntries(
    [...names].map(([text, name]) => [name, { type: "string" as const, default: text }] as const),
  );
  return {
    ...recording,
    vars: { ...recording.vars, ...vars },
    steps: recording.steps.map((step) => replaced(step, names)),
  };
}

function actionsIn(step: RecordedStep): readonly ActionStep[] {
  if (step.kind === "transaction") return step.steps.flatMap(actionsIn);
  return step.kind === "action" ? [step] : [];
}

function replaced(step: RecordedStep, names: ReadonlyMap<string, string>): RecordedStep {
  if (step.kind === "transaction") return { ...step, steps: step.steps.map((one) => replaced(one, names)) };
  if (step.kind !== "action") return step;
  const entered = ENTERED.flatMap((key) => {
    const text = step.input[key];
    const name = typeof text === "string" ? names.get(text) : undefined;
    return name === undefined ? [] : [[key, `{{vars.${name}}}`] as const];
  });
  return entered.length === 0 ? step : { ...step, input: { ...step.input, ...Object.fromEntries(entered) } };
}

/** A name for what is in a field, from the name in its selector; undefined: it has none. */
function fieldOf(input: ActionStep["input"]): string | undefined {
  const [, name = ""] = /\[name[\^$*]?="((?:[^"\\]|\\.)*)"/.exec(selectorIn(input) ?? "") ?? [];
  const word = name.normalize("NFKD").toLowerCase().replaceAll(/[^a-z0-9]+/g, "_").replaceAll(
    /^[_\d]+|_+$/g,
    "",
  );
  return word === "" ? undefined : word;
}

function selectorIn(input: ActionStep["input"]): string | undefined {
  const target = input["target"] ?? input["into"];
  const selector = isMap(target) ? target["selector"] : target;
  return typeof selector === "string" ? selector : undefined;
}

function free(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2;; number++) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`;
}

/**
 * Steps of one form as a transaction: two or more that can be undone, in one application, up to the button that sends what
 * they filled in, which is its last. What only looks may stand between them. All else stays alone.
 */
export function withTransactions(recording: Recording): Recording {
  const steps: RecordedStep[] = [];
  let group: ActionStep[] = [];
  const close = () => {
    steps.push(...group);
    group = [];
  };
  for (const step of recording.steps) {
    if (step.kind !== "action" || (group[0] !== undefined && appOf(step) !== appOf(group[0]))) {
      close();
    }
    if (step.kind !== "action") steps.push(step);
    else if (step.effect === "restorable" || (step.effect === "read" && group.length > 0)) group.push(step);
    else if (sends(step) && group.filter(isRestorable).length >= FEWEST) {
      const name = nameOf(step);
      const all = [...group, { ...step, irreversible: true }];
      steps.push({ kind: "transaction", ...defined({ name }), steps: all });
      group = [];
    } else {
      close();
      steps.push(step);
    }
  }
  close();
  return { ...recording, steps };
}

/** Steps that go into a transaction of somebody else: those that cannot be undone would be refused there, unless they say so. */
export function forTransaction(recording: Recording): Recording {
  const declared = (step: RecordedStep): RecordedStep =>
    step.kind !== "action" || UNDOABLE.has(step.effect ?? "irreversible")
      ? step
      : { ...step, irreversible: true };
  return { ...recording, steps: recording.steps.map(declared) };
}

const UNDOABLE: ReadonlySet<Effect> = new Set<Effect>(["read", "restorable", "observed", "compensable"]);

/** A step that opened a dialog, as the next one says: whatever closes that leads back. */
export function withUndoHints(recording: Recording): Recording {
  const { steps } = recording;
  return {
    ...recording,
    steps: steps.map((step, index) => {
      const next = steps[index + 1];
      const opens = step.kind === "action" && step.effect === "irreversible" && next?.kind === "action" &&
        next.effect === "read" && next.input["exists"] === true &&
        /^(dialog|alert)\b/.test(selectorIn(next.input) ?? "");
      return opens ? { ...step, undoWith: "{ press: Escape }" } : step;
    }),
  };
}

function isRestorable({ effect }: ActionStep): boolean {
  return effect === "restorable";
}

/** A button, of which nobody knows what it does. */
function sends({ effect, undo, input }: ActionStep): boolean {
  return effect === "irreversible" && undo === undefined && /^button\b/.test(selectorIn(input) ?? "");
}

function appOf({ input }: ActionStep): unknown {
  return input["app"] ?? asMap(input["target"])["app"] ?? asMap(input["into"])["app"];
}

/** What the last step is named: "save". */
function nameOf(last: ActionStep): string | undefined {
  return fieldOf(last.input)?.replaceAll("_", " ");
}
