import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { Effect } from "../contract/effect.ts";
import type { Operation } from "../contract/operation.ts";
import { describeRow } from "../desktop/describe.ts";
import { find, readSelector } from "../desktop/selector/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { clickEffect } from "../operations/effects.ts";
import { kindOf } from "../operations/kind.ts";
import { valueOf } from "../operations/value-of.ts";
import type { Look } from "./look.ts";
import { type ActionStep, inNotation } from "./output/model.ts";
import { selectorOf } from "./selector-of.ts";

/** What is known of a step from the look before it. */
export interface Judged {
  /** The element that it is about; -1: that look has none. */
  readonly row: number;
  /** What undoing it needs; undefined: nobody knows. */
  readonly effect?: Effect;
}

/** How a step is undone on the desktop: by steps, by nothing at all, or not, and why. */
export type Undoing =
  | NonNullable<ActionStep["undo"]>
  | { readonly nothing: true }
  | { readonly why: string };

/** The row of a look that a step is about, and what undoing it needs: judged as the engine judges it. */
export function judgedOf(step: ActionStep, look: Look | undefined, operation: Operation | undefined): Judged {
  if (operation?.hints.readOnly === true) return { row: -1, effect: "read" };
  const row = look === undefined ? -1 : rowOf(step, look.snapshot);
  if (look === undefined || row < 0) return { row };
  const { application, snapshot } = look;
  const kind = kindOf(snapshot, row);
  const { target, into, value, text, ...more } = step.input;
  const writes = kind === "text" || kind === "secure" || kind === "number";
  if (Object.keys(more).length > 0) return { row };
  if (text !== undefined) {
    return { row, effect: writes && into !== undefined ? "restorable" : "irreversible" };
  }
  if (value !== undefined) return { row, effect: kind === "other" ? "irreversible" : "restorable" };
  if (target === undefined) return { row };
  return { row, effect: clickEffect({ application, snapshot, row, element: snapshot.element(row) }) };
}

/** How a step is undone. `text`: what stood in its field before. */
export function undoOf(step: ActionStep, look: Look | undefined, judged: Judged, text?: string): Undoing {
  if (judged.effect === "read") return { nothing: true };
  const { target, value } = step.input;
  const { row } = judged;
  if (look === undefined || row < 0 || target === undefined) {
    return { why: "nobody knows what undoes it" };
  }
  const { snapshot } = look;
  const element = describeRow(snapshot, row);
  const kind = kindOf(snapshot, row);
  if (judged.effect !== "restorable") return { why: `nobody knows what undoes a click on ${element}` };
  if (kind === "secure") return { why: "what stood in a password field is never read" };
  if (value === undefined) {
    return chosenBefore(step, snapshot, row) ?? { why: `${element} was not read before` };
  }
  if (kind === "radio") {
    return radioBefore(step, snapshot, row) ?? { why: `nothing was chosen before ${element}` };
  }
  const before = kind === "text" ? text : valueOf(snapshot, row);
  if (before === undefined || before === null) return { why: `${element} was not read before` };
  if (inNotation(before) === value) return { nothing: true };
  return {
    steps: [{ ...step, input: { ...step.input, value: inNotation(before) } }],
    guard: { input: { target, value, timeout: 0 }, negate: false },
  };
}

function rowOf(step: ActionStep, snapshot: Snapshot): number {
  const selector = selectorIn(step.input["target"] ?? step.input["into"]);
  if (selector === undefined) return -1;
  const [row, second] = find(readSelector(selector), snapshot).rows;
  return row !== undefined && second === undefined ? row : -1;
}

function selectorIn(target: Json | undefined): string | undefined {
  const selector = isMap(target) ? target["selector"] : target;
  return typeof selector === "string" ? selector : undefined;
}

/** The radio button that this one took the choice from. */
function radioBefore(step: ActionStep, snapshot: Snapshot, row: number): Undoing | undefined {
  if (snapshot.has(row, "checked")) return { nothing: true };
  const other = siblings(snapshot, row).find((one) =>
    kindOf(snapshot, one) === "radio" && snapshot.has(one, "checked")
  );
  return other === undefined ? undefined : instead(step, snapshot, other, { value: true });
}

/** The tab that showed before this one. */
function chosenBefore(step: ActionStep, snapshot: Snapshot, row: number): Undoing | undefined {
  if (snapshot.has(row, "selected")) return { nothing: true };
  const other = siblings(snapshot, row).find((one) => snapshot.has(one, "selected"));
  return other === undefined ? undefined : instead(step, snapshot, other, { selected: true });
}

function siblings(snapshot: Snapshot, row: number): number[] {
  return [...snapshot.children(snapshot.parent(row))].filter((one) => one !== row);
}

/** The same with another element, while this one still is what the step made of it. */
function instead(
  step: ActionStep,
  snapshot: Snapshot,
  row: number,
  now: Readonly<Record<string, Json>>,
): Undoing | undefined {
  const selector = selectorOf(snapshot, row), { target = null } = step.input;
  if (selector === undefined) return undefined;
  const other = isMap(target) ? { ...target, selector } : selector;
  return {
    steps: [{ ...step, input: { ...step.input, target: other } }],
    guard: { input: { target, ...now, timeout: 0 }, negate: false },
  };
}
