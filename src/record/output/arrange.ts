import { asMap, isMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import type { ActionStep, RecordedStep, Recording } from "./model.ts";

/** Letters from which a repeated text becomes a variable. */
const SHORTEST = 3;
/** Steps that make a transaction of their own. */
const FEWEST = 2;
/** Where an input holds a text that a person entered. */
const ENTERED = ["value", "text"];

/** A recording as a person would write it: repeated texts are variables, and what belongs together is a transaction. */
export function arranged(recording: Recording): Recording {
  return withTransactions(withVariables(recording));
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
  const target = input["target"] ?? input["into"];
  const selector = isMap(target) ? target["selector"] : target;
  const [, name = ""] = typeof selector === "string"
    ? /\[name[\^$*]?="((?:[^"\\]|\\.)*)"/.exec(selector) ?? []
    : [];
  const word = name.normalize("NFKD").toLowerCase().replaceAll(/[^a-z0-9]+/g, "_").replaceAll(
    /^[_\d]+|_+$/g,
    "",
  );
  return word === "" ? undefined : word;
}

function free(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2;; number++) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`;
}

/**
 * Steps one after another that can be undone, in one application, as a transaction; the irreversible step that follows
 * them (the button that sends what they filled in) is its last. Where nobody knows what a step needs, it stays alone.
 */
export function withTransactions(recording: Recording): Recording {
  const steps: RecordedStep[] = [];
  let group: ActionStep[] = [];
  const close = (last?: ActionStep) => {
    const all = last === undefined ? group : [...group, { ...last, irreversible: true }];
    const name = nameOf(last);
    if (group.length >= FEWEST) steps.push({ kind: "transaction", ...defined({ name }), steps: all });
    else steps.push(...group, ...(last === undefined ? [] : [last]));
    group = [];
  };
  for (const step of recording.steps) {
    const [before] = group;
    if (step.kind === "action" && before !== undefined && appOf(step) === appOf(before) && ends(step)) {
      close(step);
      continue;
    }
    const joins = step.kind === "action" && canBeUndone(step) &&
      (before === undefined || appOf(step) === appOf(before));
    if (joins) {
      group.push(step);
      continue;
    }
    close();
    if (step.kind === "action" && canBeUndone(step)) group.push(step);
    else steps.push(step);
  }
  close();
  return { ...recording, steps };
}

function canBeUndone({ effect }: ActionStep): boolean {
  return effect === "restorable" || effect === "observed";
}

function ends({ effect, undo }: ActionStep): boolean {
  return effect === "irreversible" && undo === undefined;
}

function appOf({ input }: ActionStep): unknown {
  return input["app"] ?? asMap(input["target"])["app"] ?? asMap(input["into"])["app"];
}

/** What the last step is named: "save". */
function nameOf(last: ActionStep | undefined): string | undefined {
  return last === undefined ? undefined : fieldOf(last.input)?.replaceAll("_", " ");
}
