import type { ElementRef } from "./element.ts";
import { Interface } from "./interfaces.ts";
import { Role } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";
import { isQuick } from "./quick.ts";
import { isQt } from "./toolkits.ts";
import { ancestors } from "./ancestors.ts";

/** The row that carries the value of a scroll bar: itself, or in GTK 4 a child. */
export function valueOfBar(snapshot: Snapshot, bar: number): number | undefined {
  return [bar, ...snapshot.children(bar)].find((row) => snapshot.implements(row, Interface.value));
}

/**
 * The scroll bars of an area whose values tell and set how far it is scrolled: its children, or (Qt) each in a box of its own that
 * holds nothing else. Those of Qt Quick have a value that does neither.
 */
export function barsIn(snapshot: Snapshot, area: number): number[] {
  if (isQuick(snapshot, area)) return [];
  // The bar beside a page of WebKitGTK says 0 wherever the page is.
  if (snapshot.children(area).some((child) => snapshot.role(child) === Role.documentWeb)) return [];
  const isBar = (row: number) => snapshot.role(row) === Role.scrollBar;
  return snapshot.children(area).flatMap((child) => {
    if (isBar(child)) return [child];
    if (snapshot.role(child) !== Role.filler || !isQt(snapshot.origin.application)) return [];
    const inside = snapshot.children(child);
    // One that does not show has nothing to scroll, and does not tell which way it lies.
    return inside.every(isBar) ? inside.filter((bar) => snapshot.has(bar, "showing")) : [];
  });
}

/**
 * What moves an element: the scroll bar of itself or of its nearest ancestor that has one.
 */
export function barOf(snapshot: Snapshot, row: number, horizontal: boolean): ElementRef | undefined {
  for (const up of [row, ...ancestors(snapshot, row)]) {
    for (const bar of barsIn(snapshot, up)) {
      if (isHorizontal(snapshot, bar) !== horizontal) continue;
      const holder = valueOfBar(snapshot, bar);
      if (holder !== undefined) return snapshot.element(holder);
    }
  }
  return undefined;
}

/** Do all bars that may move an element say which way they lie? Else their places have to. */
export function saysWhichWay(snapshot: Snapshot, row: number): boolean {
  return [row, ...ancestors(snapshot, row)].every((up) =>
    barsIn(snapshot, up).every((bar) => snapshot.has(bar, "horizontal") || snapshot.has(bar, "vertical"))
  );
}

/** Does a scroll bar scroll to the left and right? */
export function isHorizontal(snapshot: Snapshot, bar: number): boolean {
  if (snapshot.has(bar, "horizontal")) return true;
  if (snapshot.has(bar, "vertical")) return false;
  const rect = snapshot.rect(bar);
  return rect !== undefined && rect.width > rect.height;
}
