import type { OperationStep, Step, StepCommon } from "../engine/step.ts";
import type { Acting } from "./acting.ts";
import { readInput, writtenAs } from "./inputs.ts";
import type { Names } from "./names.ts";
import { type Entry, entryOf, type ListNode, type MapNode, type Node, toJson } from "./node.ts";
import { readToolStep } from "./raw.ts";
import { MOST_RETRIES, MOST_STEPS, type Reading } from "./reading.ts";
import { property, readCount, readList, readMap, readText, refuseUnknown } from "./shape.ts";
import { COMPOSING_TOOLS } from "./composing-tools.ts";
import { ACTING } from "./verbs.ts";

type Rest = StepCommon & Acting & Pick<OperationStep, "retry" | "onFail" | "waitAfter">;

const STEP = ["tool", "args", "on_fail", "wait_after_ms", "retry"];

/** `tool: ax_workflow` and `tool: ax_undo`, which the engine does itself. */
export function readComposing(
  map: MapNode,
  verb: Entry,
  tool: string,
  rest: Rest,
  names: Names,
  reading: Reading,
): Step | undefined {
  const { faults } = reading;
  for (const key of ACTING) {
    const entry = entryOf(map, key);
    if (entry) faults.add(entry.keyPlace, `\`${key}:\` belongs to a step that acts, not to ${tool}`);
  }
  const { place, id, name, if: condition, timeout, optional, retry, onFail, waitAfter } = rest;
  const common = {
    place,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(condition === undefined ? {} : { if: condition }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(optional === undefined ? {} : { optional }),
  };
  const raw = {
    ...(onFail === undefined ? {} : { onFail }),
    ...(waitAfter === undefined ? {} : { waitAfter }),
  };
  const entry = entryOf(map, "args");
  const none: MapNode = { kind: "map", place: verb.keyPlace, entries: [] };
  const args = entry ? readMap(entry.value, "args", faults) : none;
  const schema = COMPOSING_TOOLS[tool]?.args;
  if (!args || !schema) return undefined;
  if (tool === "ax_undo") {
    // None at all is what clients fill in: the published default.
    if ((retry ?? 0) > 0) {
      faults.add(verb.value.place, "`retry:` belongs to a step that acts, not to ax_undo");
    }
    if (readInput(writtenAs(args, verb.keyPlace), schema, tool, names, reading) === undefined) {
      return undefined;
    }
    const count = entryOf(args, "count");
    const given = count ? readCount(count.value, "ax_undo.count", [1, MOST_STEPS], faults) : 1;
    return given === undefined ? undefined : { kind: "undo", ...common, ...raw, count: given };
  }
  refuseUnknown(args, ["steps", "name"], tool, faults);
  const steps = entryOf(args, "steps");
  if (!steps) {
    return void faults.add(
      entry?.keyPlace ?? verb.keyPlace,
      'ax_workflow needs "steps"',
      "Add a list of tools.",
    );
  }
  const list = readList(steps.value, "ax_workflow.steps", faults);
  if (!list) return undefined;
  const called = name === undefined
    ? property("name", entryOf(args, "name"), (n) => readText(n, "ax_workflow.name", faults))
    : {};
  return {
    kind: "transaction",
    ...common,
    ...called,
    ...(retry === undefined ? {} : { retry }),
    composed: raw,
    steps: readSteps(list, names, reading),
  };
}

/** `{{step_N}}` in them counts them. */
function readSteps({ items }: ListNode, names: Names, reading: Reading): Step[] {
  const own = names.inner();
  return items.flatMap((item, index) => {
    own.done = index;
    return readStep(item, own, reading) ?? [];
  });
}

/** A tool, as a step of `ax_workflow`: a failure of it ends that unless it says otherwise. */
function readStep(node: Node, names: Names, reading: Reading): Step | undefined {
  const { faults, tally } = reading;
  const map = readMap(node, "a step of ax_workflow", faults, "Write { tool: ax_click, args: { … } }.");
  if (!map) return undefined;
  tally.steps += 1;
  if (tally.steps > MOST_STEPS) {
    if (tally.steps === MOST_STEPS + 1) {
      faults.add(node.place, `the workflow has more than ${MOST_STEPS} steps`);
    }
    return undefined;
  }
  refuseUnknown(map, STEP, "a step of ax_workflow", faults);
  const verb = entryOf(map, "tool");
  if (!verb) {
    return void faults.add(map.place, 'a step of ax_workflow needs "tool"', "Name one, such as ax_click.");
  }
  const tool = toJson(verb.value);
  if (tool === "ax_workflow") return void faults.add(verb.value.place, "ax_workflow cannot hold another one");
  const retry = property(
    "retry",
    entryOf(map, "retry"),
    (n) => readCount(n, "retry", [0, MOST_RETRIES], faults),
  );
  const step = readToolStep(map, verb, { place: verb.keyPlace, ...retry }, names, reading);
  if (!step || (step.kind !== "operation" && step.kind !== "undo")) return undefined;
  return step.onFail === undefined ? { ...step, onFail: "abort" } : step;
}
