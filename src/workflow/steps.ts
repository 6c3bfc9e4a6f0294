import type { Place } from "../base/error.ts";
import type { OperationStep, Step, StepCommon } from "../engine/model/step.ts";
import { type Acting, readActing } from "./step-options.ts";
import { readCondition } from "./conditions.ts";
import type { Inside } from "./inside.ts";
import { readInput, type Written, writtenAs, writtenFrom } from "./inputs.ts";
import type { Names } from "./names.ts";
import { describe, type Entry, entryOf, type MapNode, type Node } from "./node.ts";
import { readTool } from "./composing.ts";
import { DEEPEST_STEPS, MOST_RETRIES, MOST_STEPS, type Reading } from "./reading.ts";
import { property, readBoolean, readCount, readDuration, readList, readName, readText } from "./shape.ts";
import { readReject } from "./reject.ts";
import { readRollbackTo, readSavepoint } from "./savepoints.ts";
import { readFor, readIf, readRepeat, readRun, readTransaction } from "./structure.ts";
import { didYouMean, shown } from "./suggest.ts";
import { ACTING, CHECKING, COMMON, COMPANIONS, STRUCTURAL } from "./verbs.ts";

/** Reads a list of steps. At the top level of a file they are numbered, for `{{step_N}}`. */
export function readSteps(
  node: Node,
  what: string,
  names: Names,
  reading: Reading,
  options: { readonly depth?: number; readonly numbered?: boolean } = {},
): Step[] {
  const depth = options.depth ?? 1;
  const list = readList(node, what, reading.faults, "Begin each step with a dash: `- click: …`.");
  if (!list) return [];
  const steps: Step[] = [];
  for (const [index, item] of list.items.entries()) {
    if (options.numbered) names.done = index;
    const step = readStep(item, names, reading, depth);
    if (step) steps.push(step);
  }
  if (options.numbered) names.done = list.items.length;
  return steps;
}

function readStep(node: Node, names: Names, reading: Reading, depth: number): Step | undefined {
  const { faults, tally } = reading;
  tally.steps += 1;
  tally.height = Math.max(tally.height, depth);
  if (tally.steps === MOST_STEPS + 1) {
    faults.add(node.place, `the workflow has more than ${MOST_STEPS} steps`, "Use `repeat:` or `for_each:`.");
  }
  if (tally.steps > MOST_STEPS) return undefined;
  if (depth > DEEPEST_STEPS) {
    return void faults.add(
      node.place,
      `steps nest deeper than ${DEEPEST_STEPS} levels`,
      "Use `run:` or flatten them.",
    );
  }
  if (node.kind !== "map") {
    const verb = node.kind === "scalar" && typeof node.value === "string" && reading.verbs.get(node.value);
    const hint = verb
      ? `Write \`${verb.views.yaml?.verb}: {}\`.`
      : "Write `verb: …`, such as `click: 'button'`.";
    return void faults.add(node.place, `a step takes a map, not ${describe(node)}`, hint);
  }
  const verb = findVerb(node, reading);
  if (!verb) return undefined;
  const common = readCommon(node, verb, names, reading);
  const read = readVerb(node, verb, common, names, reading, depth);
  const step = withSoft(node, verb, read, reading);
  if (common.id !== undefined) names.show(common.id);
  return step;
}

/** The one key that says what the step does; other keys must be known. */
function findVerb(map: MapNode, reading: Reading): Entry | undefined {
  const { faults, verbs } = reading;
  const structural: readonly string[] = STRUCTURAL;
  const conditional = entryOf(map, "then") !== undefined || entryOf(map, "else") !== undefined;
  const isVerb = ({ key }: Entry) =>
    key === "if" ? conditional : structural.includes(key) || verbs.get(key) !== undefined;
  const [verb, second] = map.entries.filter(isVerb);
  const companions = verb ? COMPANIONS[verb.key] ?? [] : [];
  const existing: readonly string[] = [...COMMON, ...ACTING, ...CHECKING, ...companions];
  const strange = map.entries.filter((entry) => !isVerb(entry) && !existing.includes(entry.key));
  for (const { key, keyPlace } of strange) {
    const owner = Object.entries(COMPANIONS).find(([, keys]) => keys.includes(key))?.[0];
    if (owner) faults.add(keyPlace, `\`${key}:\` belongs to a step with \`${owner}:\``);
    else if (verb) faults.add(keyPlace, `unknown key ${shown(key)} in a step`, didYouMean(key, existing));
    else faults.add(keyPlace, `unknown verb ${shown(key)}`, didYouMean(key, verbs.words(), "Verbs"));
  }
  if (second && verb) {
    faults.add(
      second.keyPlace,
      `a step does one thing: it has \`${verb.key}:\` and \`${second.key}:\``,
      "Make two steps of it; mind the indentation and the dashes.",
    );
    return undefined;
  }
  if (!verb && strange.length === 0) {
    const onlyIf = entryOf(map, "if");
    faults.add(
      onlyIf?.keyPlace ?? map.place,
      "the step says nothing to do",
      onlyIf ? "Add `then:` with steps, or a verb." : "Add a verb, such as `click:`.",
    );
  }
  return verb;
}

function readCommon(map: MapNode, verb: Entry, names: Names, reading: Reading): StepCommon {
  const { faults } = reading;
  const id = entryOf(map, "id");
  const common: StepCommon = {
    place: verb.keyPlace,
    ...property("id", id, (n) => readName(n, "id", faults)),
    ...property("name", entryOf(map, "name"), (n) => readText(n, "name", faults)),
    ...property(
      "if",
      verb.key === "if" ? undefined : entryOf(map, "if"),
      (n) => readCondition(n, "if", names, reading),
    ),
    ...property("timeout", entryOf(map, "timeout"), (n) => readDuration(n, "timeout", faults)),
    ...property("optional", entryOf(map, "optional"), (n) => readBoolean(n, "optional", faults)),
  };
  if (id && common.id !== undefined) names.claim(common.id, id.value.place, faults);
  return common;
}

function readVerb(
  map: MapNode,
  verb: Entry,
  common: StepCommon,
  names: Names,
  reading: Reading,
  depth: number,
): Step | undefined {
  const inside: Inside = (node, what, inner) => readSteps(node, what, inner, reading, { depth: depth + 1 });
  const acts = verb.key === "tool" || reading.verbs.get(verb.key) !== undefined;
  if (!acts) refuseOfActing(map, verb, reading);
  switch (verb.key) {
    case "transaction":
      return readTransaction(verb, { ...common, ...readRetry(map, reading) }, names, reading, inside);
    case "savepoint":
      return readSavepoint(verb, common, names, reading);
    case "rollback_to":
      return readRollbackTo(verb, common, names, reading);
    case "reject":
      return readReject(verb, common, names, reading);
    case "if":
      return readIf(map, verb, common, names, reading, inside);
    case "repeat":
      return readRepeat(verb, common, names, reading, inside);
    case "for_each":
      return readFor(verb, common, names, reading, inside);
    case "run":
      return readRun(map, verb, common, names, reading, depth);
  }
  const acting = { ...readRetry(map, reading), ...readActing(map, common.id, names, reading, inside) };
  if (verb.key === "tool") return readTool(map, verb, { ...common, ...acting }, names, reading);
  return readOperation(verb, { ...common, ...acting }, names, reading);
}

/** `soft: true` at a step that only looks: its failure is told at the end. */
function withSoft(
  map: MapNode,
  verb: Entry,
  step: Step | undefined,
  { faults, verbs }: Reading,
): Step | undefined {
  const entry = entryOf(map, "soft");
  const soft = entry && readBoolean(entry.value, "soft", faults);
  if (!entry || soft === undefined || !step) return step;
  if (step.kind !== "operation" || verbs.named(step.operation)?.hints.readOnly !== true) {
    return void faults.add(
      entry.keyPlace,
      `\`soft:\` belongs to a step that only looks, not to \`${verb.key}:\``,
      "With `optional: true`, the flow continues after a step that acts and fails.",
    );
  }
  if (soft && step.optional === true) {
    return void faults.add(
      entry.keyPlace,
      "a step is `soft:` or `optional:`, not both",
      "After a soft one the run fails at its end, after an optional one it does not.",
    );
  }
  return { ...step, soft };
}

/** What would be passed over at a step that only holds others is a fault. */
function refuseOfActing(map: MapNode, verb: Entry, { faults }: Reading): void {
  for (const key of ACTING) {
    const entry = entryOf(map, key);
    if (!entry) continue;
    faults.add(
      entry.keyPlace,
      `\`${key}:\` belongs to a step that acts, not to \`${verb.key}:\``,
      "Give it to the steps inside.",
    );
  }
  const retry = verb.key === "transaction" ? undefined : entryOf(map, "retry");
  if (!retry) return;
  faults.add(
    retry.keyPlace,
    `\`retry:\` belongs to a step that acts or to a transaction, not to \`${verb.key}:\``,
    "Give it to the steps inside, or put them into a `transaction:` with `retry:`, which undoes them first.",
  );
}

function readRetry(map: MapNode, { faults }: Reading): Pick<OperationStep, "retry"> {
  return property("retry", entryOf(map, "retry"), (n) => readCount(n, "retry", [0, MOST_RETRIES], faults));
}

function readOperation(
  verb: Entry,
  step: StepCommon & Acting & Pick<OperationStep, "retry">,
  names: Names,
  reading: Reading,
): OperationStep | undefined {
  const operation = reading.verbs.get(verb.key);
  const view = operation?.views.yaml;
  if (!operation || !view) return undefined;
  const written = writeInput(verb.value, verb.key, view.scalar, verb.keyPlace, reading);
  if (!written) return undefined;
  const input = readInput(written, operation.inputSchema, verb.key, names, reading);
  return input === undefined ? undefined : { kind: "operation", operation: operation.name, ...step, input };
}

/** A map is the input itself, nothing is an empty input, and a scalar goes through the operation's view. */
function writeInput(
  value: Node,
  verb: string,
  scalar: ((value: string | number | boolean) => unknown) | undefined,
  at: Place,
  { faults }: Reading,
): Written | undefined {
  if (value.kind === "map") return writtenAs(value, at);
  if (value.kind === "scalar" && value.value === null) return writtenFrom({}, value, at);
  if (value.kind === "scalar" && value.value !== null && scalar) {
    try {
      return writtenFrom(JSON.parse(JSON.stringify(scalar(value.value) ?? null)), value, at);
    } catch (thrown) {
      faults.addThrown(thrown, value.place);
      return undefined;
    }
  }
  const also = scalar ? "a map or a single value" : "a map";
  faults.add(value.place, `${verb} takes ${also}, not ${describe(value)}`);
  return undefined;
}
