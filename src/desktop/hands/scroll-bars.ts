import type { ElementRef } from "../desktop.ts";
import { Interface } from "../interfaces.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { ancestors } from "./place.ts";

/** The row that carries the value of a scroll bar: itself, or in GTK 4 a child. */
export function valueOfBar(snapshot: Snapshot, bar: number): number | undefined {
  return [bar, ...snapshot.children(bar)].find((row) => snapshot.implements(row, Interface.value));
}

/**
 * What moves an element: the scroll bar of itself or of its nearest ancestor that has one.
 */
export function barOf(snapshot: Snapshot, row: number, horizontal: boolean): ElementRef | undefined {
  for (const up of [row, ...ancestors(snapshot, row)]) {
    for (const bar of snapshot.children(up)) {
      if (snapshot.role(bar) !== Role.scrollBar || isHorizontal(snapshot, bar) !== horizontal) continue;
      const holder = valueOfBar(snapshot, bar);
      if (holder !== undefined) return snapshot.element(holder);
    }
  }
  return undefined;
}

function isHorizontal(snapshot: Snapshot, bar: number): boolean {
  if (snapshot.has(bar, "horizontal")) return true;
  if (snapshot.has(bar, "vertical")) return false;
  const rect = snapshot.rect(bar);
  return rect !== undefined && rect.width > rect.height;
}
