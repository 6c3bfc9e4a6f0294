import type {
  ForEachStep,
  IfStep,
  RepeatStep,
  RunStep,
  StepCommon,
  Template,
  TransactionStep,
} from "../engine/model/step.ts";
import { readCondition } from "./conditions.ts";
import { readTemplate, writtenAs } from "./inputs.ts";
import type { Names } from "./names.ts";
import { describe, type Entry, entryOf, type MapNode, type Node } from "./node.ts";
import { DEEPEST_STEPS, MOST_ROUNDS, MOST_STEPS, type Reading } from "./reading.ts";
import { property, readMap, readName, readText, refuseUnknown } from "./shape.ts";
import type { Inside } from "./inside.ts";
import { checkWith } from "./with.ts";

/** `transaction: [ … ]` or `transaction: { name, steps }`. */
export function readTransaction(
  verb: Entry,
  common: StepCommon & Pick<TransactionStep, "retry">,
  names: Names,
  { faults }: Reading,
  inside: Inside,
): TransactionStep | undefined {
  const { value } = verb;
  if (value.kind === "list") {
    return { kind: "transaction", ...common, steps: inside(value, "transaction", names) };
  }
  const map = readMap(value, "transaction", faults, "Write a list of steps, or { name: …, steps: [ … ] }.");
  if (!map) return undefined;
  refuseUnknown(map, ["name", "steps"], "transaction", faults);
  const name = entryOf(map, "name");
  if (name && common.name !== undefined) {
    faults.add(name.keyPlace, "the transaction is named twice", "Keep one `name:`.");
  }
  const steps = stepsOf(map, verb, faults);
  if (!steps) return undefined;
  return {
    kind: "transaction",
    ...common,
    ...property("name", name, (n) => readText(n, "transaction.name", faults)),
    steps: inside(steps, "transaction.steps", names),
  };
}

/** `if: <condition>`, `then: [ … ]`, `else: [ … ]`. */
export function readIf(
  map: MapNode,
  verb: Entry,
  common: StepCommon,
  names: Names,
  reading: Reading,
  inside: Inside,
): IfStep | undefined {
  const then = entryOf(map, "then");
  const otherwise = entryOf(map, "else");
  const condition = readCondition(verb.value, "if", names, reading);
  const step = {
    then: then ? inside(then.value, "then", names.inner()) : [],
    else: otherwise ? inside(otherwise.value, "else", names.inner()) : [],
  };
  return condition ? { kind: "if", ...common, condition, ...step } : undefined;
}

/** `repeat: { times, steps }`, `repeat: { until, steps }` or both: until it holds, so many times at most. */
export function readRepeat(
  verb: Entry,
  common: StepCommon,
  names: Names,
  reading: Reading,
  inside: Inside,
): RepeatStep | undefined {
  const { faults } = reading;
  const map = readMap(
    verb.value,
    "repeat",
    faults,
    "Write { times: 3, steps: [ … ] } or { until: …, steps: [ … ] }.",
  );
  if (!map) return undefined;
  refuseUnknown(map, ["times", "until", "steps"], "repeat", faults);
  const times = entryOf(map, "times");
  const until = entryOf(map, "until");
  if (!times && !until) {
    faults.add(verb.keyPlace, 'repeat needs "times" or "until"', "Add `times: 3`, for example.");
  }
  const steps = stepsOf(map, verb, faults);
  if (!steps) return undefined;
  const body = names.inner();
  return {
    kind: "repeat",
    ...common,
    ...property("times", times, (n) => readTimes(n, names, reading)),
    steps: inside(steps, "repeat.steps", body),
    // It is asked after each round, so it may name what the round answered.
    ...property("until", until, (n) => readCondition(n, "repeat.until", body, reading)),
  };
}

function readTimes(node: Node, names: Names, reading: Reading): Template | undefined {
  const value = readTemplate(writtenAs(node, node.place), names, reading);
  if (typeof value === "object" && value?.kind === "placeholder") return value;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST_ROUNDS) {
    return value;
  }
  if (value !== undefined) {
    reading.faults.add(
      node.place,
      `repeat.times takes a whole number from 0 to ${MOST_ROUNDS}, not ${describe(node)}`,
      "A whole placeholder such as '{{vars.n}}' is possible too.",
    );
  }
  return undefined;
}

/** `for_each: { in: [ … ] or a placeholder, as: name, steps: [ … ] }`. */
export function readFor(
  verb: Entry,
  common: StepCommon,
  names: Names,
  reading: Reading,
  inside: Inside,
): ForEachStep | undefined {
  const { faults } = reading;
  const map = readMap(verb.value, "for_each", faults, "Write { in: …, as: row, steps: [ … ] }.");
  if (!map) return undefined;
  refuseUnknown(map, ["in", "as", "steps"], "for_each", faults);
  const list = entryOf(map, "in");
  const as = entryOf(map, "as");
  if (!list) faults.add(verb.keyPlace, 'for_each needs "in"', "Add `in:` with a list or '{{vars.rows}}'.");
  if (!as) {
    faults.add(verb.keyPlace, 'for_each needs "as"', "Add `as: row`; the steps then see {{vars.row}}.");
  }
  const name = as && readName(as.value, "for_each.as", faults);
  if (as && name !== undefined && names.hasVariable(name)) {
    faults.add(
      as.value.place,
      `there is a variable "${name}" already`,
      "Give the loop variable another name.",
    );
  }
  const items = list && readItems(list.value, names, reading);
  const steps = stepsOf(map, verb, faults);
  if (!steps) return undefined;
  const body = inside(steps, "for_each.steps", names.inner(name));
  if (items === undefined || name === undefined) return undefined;
  return { kind: "for_each", ...common, in: items, as: name, steps: body };
}

function readItems(node: Node, names: Names, reading: Reading): Template | undefined {
  const template = readTemplate(writtenAs(node, node.place), names, reading);
  if (template === undefined) return undefined;
  if (typeof template === "object" && template?.kind === "placeholder") return template;
  if (typeof template === "object" && template?.kind === "list") {
    if (template.items.length <= MOST_ROUNDS) return template;
    reading.faults.add(node.place, `for_each.in has more than ${MOST_ROUNDS} items`);
    return undefined;
  }
  reading.faults.add(
    node.place,
    `for_each.in takes a list, not ${describe(node)}`,
    "Write a list, or a whole placeholder such as '{{vars.rows}}'.",
  );
  return undefined;
}

/** `run: shared/login.yaml`, `with: { user: … }`. */
export function readRun(
  map: MapNode,
  verb: Entry,
  common: StepCommon,
  names: Names,
  reading: Reading,
  depth: number,
): RunStep | undefined {
  const { faults, tally } = reading;
  const reference = readText(verb.value, "run", faults, "Name a workflow file, relative to this one.");
  const given = entryOf(map, "with");
  const values = given && readMap(given.value, "with", faults);
  const template: Template | undefined = values
    ? readTemplate(writtenAs(values, verb.keyPlace), names, reading)
    : { kind: "map", entries: [] };
  if (reference === undefined) return undefined;
  const read = reading.run(reference, verb.value.place);
  if (!read) return undefined;
  tally.steps += read.steps;
  tally.height = Math.max(tally.height, depth + read.height);
  if (tally.steps > MOST_STEPS) {
    faults.add(
      verb.keyPlace,
      `the workflow has more than ${MOST_STEPS} steps`,
      "Use `repeat:` or `for_each:`.",
    );
  }
  if (depth + read.height > DEEPEST_STEPS) {
    faults.add(
      verb.keyPlace,
      `steps nest deeper than ${DEEPEST_STEPS} levels`,
      "Run fewer files through each other.",
    );
  }
  if (template === undefined) return undefined;
  checkWith(read.workflow, values, template, verb, faults);
  return { kind: "run", ...common, workflow: read.workflow, with: template };
}

function stepsOf(map: MapNode, verb: Entry, faults: Reading["faults"]): Node | undefined {
  const steps = entryOf(map, "steps");
  if (!steps) faults.add(verb.keyPlace, `${verb.key} needs "steps"`, "Add `steps:` with a list.");
  return steps?.value;
}
