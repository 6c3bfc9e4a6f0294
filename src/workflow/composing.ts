import { defined } from "../base/defined.ts";
import type { OperationStep, Step, StepCommon } from "../engine/model/step.ts";
import { toolNamed, TOOLS } from "../tools/all.ts";
import { argumentsOf } from "../tools/arguments.ts";
import type { ToolView } from "../tools/tool.ts";
import type { Acting } from "./step-options.ts";
import { readInput, writtenAs } from "./inputs.ts";
import type { Names } from "./names.ts";
import { type Entry, entryOf, type ListNode, type MapNode, type Node, toJson } from "./node.ts";
import { type RawRest, readToolStep } from "./raw.ts";
import { MOST_RETRIES, MOST_STEPS, type Reading } from "./reading.ts";
import {
  property,
  readChoice,
  readCount,
  readDuration,
  readList,
  readMap,
  readText,
  refuseUnknown,
} from "./shape.ts";
import { didYouMean, shown } from "./suggest.ts";
import { ACTING } from "./verbs.ts";

const ON_FAIL = ["rollback", "skip", "abort"] as const;
const STEP = ["tool", "args", "on_fail", "wait_after_ms", "retry"];

/** The raw form: `tool: ax_click`, `args: { … }`, `retry`, `wait_after_ms`, `on_fail`. */
export function readTool(
  map: MapNode,
  verb: Entry,
  step: StepCommon & Acting & Pick<OperationStep, "retry">,
  names: Names,
  reading: Reading,
): Step | undefined {
  const { faults } = reading;
  const rest = {
    ...step,
    ...property("waitAfter", entryOf(map, "wait_after_ms"), (n) => readDuration(n, "wait_after_ms", faults)),
    ...property("onFail", entryOf(map, "on_fail"), (n) => readChoice(n, "on_fail", ON_FAIL, faults)),
  };
  const tool = readText(verb.value, "tool", faults, "Name a tool, such as ax_click.");
  if (tool === undefined) return undefined;
  const { place } = verb.value;
  const view = toolNamed(tool);
  if (!view) {
    const existing = TOOLS.map(({ name }) => name);
    return void faults.add(place, `unknown tool ${shown(tool)}`, didYouMean(tool, existing, "Tools"));
  }
  switch (view.step?.kind) {
    case undefined:
      return void faults.add(place, `the tool ${tool} is not supported yet`);
    case "operation":
      return readToolStep(map, verb, view, view.step, rest, names, reading);
    default:
      return readComposing(map, verb, view, rest, names, reading);
  }
}

/** A tool that the engine does itself: several tools as one, and the undo of what was done. */
function readComposing(
  map: MapNode,
  verb: Entry,
  view: ToolView,
  rest: RawRest,
  names: Names,
  reading: Reading,
): Step | undefined {
  const { faults } = reading;
  const { name: tool, step: form } = view;
  for (const key of ACTING) {
    const entry = entryOf(map, key);
    if (entry) faults.add(entry.keyPlace, `\`${key}:\` belongs to a step that acts, not to ${tool}`);
  }
  const { place, id, name, if: condition, timeout, optional, retry, onFail, waitAfter } = rest;
  const common = {
    place,
    ...defined({ id, name, if: condition, timeout, optional }),
  };
  const raw = defined({ onFail, waitAfter });
  const entry = entryOf(map, "args");
  const none: MapNode = { kind: "map", place: verb.keyPlace, entries: [] };
  const args = entry ? readMap(entry.value, "args", faults) : none;
  if (!args) return undefined;
  if (form?.kind === "undo") {
    // None at all is what clients fill in: the published default.
    if ((retry ?? 0) > 0) {
      faults.add(verb.value.place, `\`retry:\` belongs to a step that acts, not to ${tool}`);
    }
    if (readInput(writtenAs(args, verb.keyPlace), argumentsOf(view), tool, names, reading) === undefined) {
      return undefined;
    }
    const count = entryOf(args, "count");
    const given = count ? readCount(count.value, `${tool}.count`, [1, MOST_STEPS], faults) : 1;
    return given === undefined ? undefined : { kind: "undo", ...common, ...raw, tool, count: given };
  }
  refuseUnknown(args, ["steps", "name"], tool, faults);
  const steps = entryOf(args, "steps");
  if (!steps) {
    return void faults.add(
      entry?.keyPlace ?? verb.keyPlace,
      `${tool} needs "steps"`,
      "Add a list of tools.",
    );
  }
  const list = readList(steps.value, `${tool}.steps`, faults);
  if (!list) return undefined;
  const called = name === undefined
    ? property("name", entryOf(args, "name"), (n) => readText(n, `${tool}.name`, faults))
    : {};
  return {
    kind: "transaction",
    ...common,
    ...called,
    ...defined({ retry }),
    composed: { ...raw, tool },
    steps: readSteps(list, tool, names, reading),
  };
}

/** `{{step_N}}` in them counts them. */
function readSteps({ items }: ListNode, whole: string, names: Names, reading: Reading): Step[] {
  const own = names.inner();
  return items.flatMap((item, index) => {
    own.done = index;
    return readStep(item, whole, own, reading) ?? [];
  });
}

/** A tool, as a step of another one, the whole: a failure of it ends that unless it says otherwise. */
function readStep(node: Node, whole: string, names: Names, reading: Reading): Step | undefined {
  const { faults, tally } = reading;
  const map = readMap(node, `a step of ${whole}`, faults, "Write { tool: ax_click, args: { … } }.");
  if (!map) return undefined;
  tally.steps += 1;
  if (tally.steps > MOST_STEPS) {
    if (tally.steps === MOST_STEPS + 1) {
      faults.add(node.place, `the workflow has more than ${MOST_STEPS} steps`);
    }
    return undefined;
  }
  refuseUnknown(map, STEP, `a step of ${whole}`, faults);
  const verb = entryOf(map, "tool");
  if (!verb) {
    return void faults.add(map.place, `a step of ${whole} needs "tool"`, "Name one, such as ax_click.");
  }
  if (toJson(verb.value) === whole) {
    return void faults.add(verb.value.place, `${whole} cannot hold another one`);
  }
  const retry = property(
    "retry",
    entryOf(map, "retry"),
    (n) => readCount(n, "retry", [0, MOST_RETRIES], faults),
  );
  const step = readTool(map, verb, { place: verb.keyPlace, ...retry }, names, reading);
  if (!step || (step.kind !== "operation" && step.kind !== "undo")) return undefined;
  return step.onFail === undefined ? { ...step, onFail: "abort" } : step;
}
