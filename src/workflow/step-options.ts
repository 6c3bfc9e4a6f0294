import type { Changes, OperationStep, Template, Undo } from "../engine/model/step.ts";
import { readCondition } from "./conditions.ts";
import { checkSelector, readTemplate, writtenAs } from "./inputs.ts";
import type { Names } from "./names.ts";
import { entryOf, type MapNode, type Node } from "./node.ts";
import type { Reading } from "./reading.ts";
import { property, readBoolean, readList, readMap, refuseUnknown } from "./shape.ts";
import type { Inside } from "./inside.ts";

/** What only a step that acts says. */
export type Acting = Pick<OperationStep, "undo" | "doneWhen" | "irreversible" | "changes">;

/** What a step that acts says about its undo. */
export function readActing(
  map: MapNode,
  id: string | undefined,
  names: Names,
  reading: Reading,
  inside: Inside,
): Acting {
  return {
    ...property("undo", entryOf(map, "undo"), (n) => readUndo(n, id, names, reading, inside)),
    ...property("doneWhen", entryOf(map, "done_when"), (n) => readCondition(n, "done_when", names, reading)),
    ...property(
      "irreversible",
      entryOf(map, "irreversible"),
      (n) => readBoolean(n, "irreversible", reading.faults),
    ),
    ...property("changes", entryOf(map, "changes"), (n) => readChanges(n, names, reading)),
  };
}

/** `changes: { only: [ selectors ], include: [ selectors ] }`. */
function readChanges(node: Node, names: Names, reading: Reading): Changes | undefined {
  const { faults } = reading;
  const hint = "Write { only: [ selectors ] }, { include: [ selectors ] } or both.";
  const map = readMap(node, "changes", faults, hint);
  if (!map) return undefined;
  refuseUnknown(map, ["only", "include"], "changes", faults);
  if (map.entries.length === 0) return void faults.add(map.place, "changes says nothing", hint);
  const selectors = (what: string) => (n: Node) => readSelectors(n, `changes.${what}`, names, reading);
  return {
    ...property("only", entryOf(map, "only"), selectors("only")),
    ...property("include", entryOf(map, "include"), selectors("include")),
    place: map.place,
  };
}

function readSelectors(node: Node, what: string, names: Names, reading: Reading): Template[] | undefined {
  const list = readList(node, what, reading.faults, "Write a list of selectors.");
  return list?.items.flatMap((item) => {
    if (item.kind !== "scalar" || typeof item.value !== "string") {
      reading.faults.add(item.place, `${what} takes selectors`, "Quote it: 'textfield[name=\"Name\"]'.");
      return [];
    }
    const written = writtenAs(item, item.place);
    const template = readTemplate(written, names, reading);
    if (typeof template === "string") checkSelector(template, written, reading);
    return template === undefined ? [] : [template];
  });
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
  // The rollback runs after its step and may use what the step answered; its own ids end with it.
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
