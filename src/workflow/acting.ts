import type { OperationStep, Undo } from "../engine/step.ts";
import { readCondition } from "./conditions.ts";
import type { Names } from "./names.ts";
import { entryOf, type MapNode, type Node } from "./node.ts";
import type { Reading } from "./reading.ts";
import { property, readBoolean, refuseUnknown } from "./shape.ts";
import type { Inside } from "./steps.ts";

/** What a step that acts says about its way back. */
export function readActing(
  map: MapNode,
  id: string | undefined,
  names: Names,
  reading: Reading,
  inside: Inside,
): Pick<OperationStep, "undo" | "doneWhen" | "irreversible"> {
  return {
    ...property("undo", entryOf(map, "undo"), (n) => readUndo(n, id, names, reading, inside)),
    ...property("doneWhen", entryOf(map, "done_when"), (n) => readCondition(n, "done_when", names, reading)),
    ...property(
      "irreversible",
      entryOf(map, "irreversible"),
      (n) => readBoolean(n, "irreversible", reading.faults),
    ),
  };
}

/** `undo: [ … ]`, or `undo: { guard: <condition>, steps: [ … ] }`. */
function readUndo(
  node: Node,
  id: string | undefined,
  outer: Names,
  reading: Reading,
  inside: Inside,
): Undo | undefined {
  const { faults } = reading;
  // The way back runs after its step and may use what the step answered; its own ids end with it.
  const names = outer.inner();
  if (id !== undefined) names.show(id);
  if (node.kind !== "map") return { steps: inside(node, "undo", names) };
  const hint = "Write a list of steps, or { guard: condition, steps: [ … ] }.";
  const steps = entryOf(node, "steps");
  if (!steps) return void faults.add(node.place, 'undo needs "steps"', hint);
  refuseUnknown(node, ["steps", "guard"], "undo", faults);
  return {
    ...property("guard", entryOf(node, "guard"), (n) => readCondition(n, "undo.guard", names, reading)),
    steps: inside(steps.value, "undo.steps", names),
  };
}
