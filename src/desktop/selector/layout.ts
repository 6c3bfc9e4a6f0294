import { BackstepError } from "../../base/error.ts";
import type { Rect } from "../element.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Condition, Direction } from "./ast.ts";

/** Pixels within which `:near` looks, where none are given. */
const NEAR = 50;

/** Asks how far a row lies from the nearest of what is meant; undefined: not so, or too far. */
export type Distance = (row: number) => number | undefined;

/** The condition made ready for one snapshot: what it is measured from is looked up once, `anchors` being its rows. */
export function compileLayout(
  { direction, distance }: Extract<Condition, { kind: "layout" }>,
  snapshot: Snapshot,
  anchors: () => readonly number[],
): Distance {
  if (snapshot.size > 0 && snapshot.columns.rect.length === 0) {
    throw new BackstepError(
      "invalid",
      `Cannot match :${direction}: the tree was read without its field "extents"`,
      { hint: "Ask fieldsOf(selector) which fields it needs before taking the snapshot." },
    );
  }
  let found: readonly (readonly [row: number, rect: Rect])[] | undefined;
  const cached = new Map<number, number | undefined>();
  return (row) => {
    if (cached.has(row)) return cached.get(row);
    found ??= anchors().flatMap((anchor) => {
      const rect = placed(snapshot, anchor);
      return rect ? [[anchor, rect] as const] : [];
    });
    const own = placed(snapshot, row);
    let least: number | undefined;
    for (const [anchor, rect] of own ? found : []) {
      if (anchor === row || own === undefined) continue;
      const far = distanceOf(direction, own, rect, distance);
      if (far !== undefined && (least === undefined || far < least)) least = far;
    }
    cached.set(row, least);
    return least;
  };
}

/** The place of what has one: without an area nothing is anywhere. */
function placed(snapshot: Snapshot, row: number): Rect | undefined {
  const rect = snapshot.rect(row);
  return rect !== undefined && rect.width > 0 && rect.height > 0 ? rect : undefined;
}

/**
 * How far an element lies from another in a direction, in pixels: the gap, and how far it sticks out at the sides. The same as
 * Playwright's `:right-of()`, `:left-of()`, `:above()`, `:below()` and `:near()` measure. Undefined: it does not lie there.
 */
export function distanceOf(
  direction: Direction,
  one: Rect,
  other: Rect,
  most: number | undefined,
): number | undefined {
  const left = gap(one, other);
  const right = gap(other, one);
  const above = gap(turn(one), turn(other));
  const below = gap(turn(other), turn(one));
  const across = sticksOut(turn(one), turn(other));
  const along = sticksOut(one, other);
  const beyond = (far: number, more: number) =>
    far < 0 || (most !== undefined && far > most) ? undefined : far + more;
  switch (direction) {
    case "right-of":
      return beyond(right, across);
    case "left-of":
      return beyond(left, across);
    case "below":
      return beyond(below, along);
    case "above":
      return beyond(above, along);
    case "near": {
      const far = [left, right, above, below].reduce((sum, one) => sum + Math.max(0, one), 0);
      return far > (most ?? NEAR) ? undefined : far;
    }
  }
}

/** From the right side of one to the left side of the other. */
function gap(one: Rect, other: Rect): number {
  return other.x - (one.x + one.width);
}

/** How far the other reaches beyond one to the left and to the right. */
function sticksOut(one: Rect, other: Rect): number {
  return Math.max(0, other.x + other.width - (one.x + one.width)) + Math.max(0, one.x - other.x);
}

function turn({ x, y, width, height }: Rect): Rect {
  return { x: y, y: x, width: height, height: width };
}
