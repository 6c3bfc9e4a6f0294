import { Role } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";
import { isGtk4 } from "./toolkits.ts";

/** What GTK 4.8 calls the box inside of every popover, whatever the popover itself is called: the type of the widget. */
const CONTENT = "GtkPopoverContent";

/**
 * Is a row a popover of GTK 4: a menu, the list of a drop-down, a bubble? It hangs below what opened it, and is drawn in a
 * window of its own.
 */
export function isPopover(snapshot: Snapshot, row: number): boolean {
  if (!isGtk4(snapshot.origin.application)) return false;
  if (snapshot.role(row) === Role.menu) return true;
  return snapshot.children(row).some((child) => snapshot.name(child) === CONTENT);
}

/** The popovers of a tree: what opened one comes before what it opened. */
export function popoversOf(snapshot: Snapshot): number[] {
  const rows: number[] = [];
  if (!isGtk4(snapshot.origin.application)) return rows;
  for (let row = 1; row < snapshot.size; row++) {
    const content = snapshot.name(row) === CONTENT;
    const found = content ? snapshot.parent(row) : snapshot.role(row) === Role.menu ? row : -1;
    if (found > 0 && rows.at(-1) !== found) rows.push(found);
  }
  return rows;
}

/** The popover that a row is in or is; -1 outside of any. */
export function popoverAround(snapshot: Snapshot, row: number): number {
  if (!isGtk4(snapshot.origin.application)) return -1;
  for (let up = row; up > 0; up = snapshot.parent(up)) {
    if (isPopover(snapshot, up)) return up;
  }
  return -1;
}
