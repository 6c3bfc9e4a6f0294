import type { Rect } from "./element.ts";
import { isItemOf } from "./item.ts";
import { isPopover } from "./popover.ts";
import { Role } from "./roles.ts";
import { barsIn } from "./scroll-bars.ts";
import type { Snapshot } from "./snapshot.ts";
import { isQt } from "./toolkits.ts";
import { ancestors } from "./ancestors.ts";

/** What clips its content: an element that lies outside of one of these is scrolled away. */
const CLIPS: ReadonlySet<number> = new Set([Role.scrollPane, Role.viewport, Role.documentWeb]);
/** What is drawn in a surface of its own, wherever it hangs in the tree. */
const SURFACES: ReadonlySet<number> = new Set([
  Role.frame,
  Role.window,
  Role.dialog,
  Role.alert,
  Role.fileChooser,
  Role.menu,
  Role.popupMenu,
  Role.toolTip,
  Role.application,
]);

/** Is it drawn in a surface of its own, wherever it hangs in the tree: a window, a menu, a popover? */
export function isSurface(snapshot: Snapshot, row: number): boolean {
  return SURFACES.has(snapshot.role(row)) || isPopover(snapshot, row);
}

/**
 * The part of an element that can be seen as far as its own application says: its rectangle, clipped by its ancestors up
 * to its window or menu. Undefined when it has no place on the screen or is scrolled away. Ancestors that do not
 * overlap at all clip only when they scroll: toolkits hang popups below what opened them. The lists of Qt scroll by
 * themselves: an item that does not show, and lies outside of its list, is scrolled away.
 */
export function visiblePart(snapshot: Snapshot, row: number): Rect | undefined {
  let part = snapshot.rect(row);
  if (part === undefined || part.width <= 0 || part.height <= 0) return undefined;
  if (SURFACES.has(snapshot.role(row))) return part;
  for (const up of ancestors(snapshot, row)) {
    const role = snapshot.role(up);
    const frame = snapshot.rect(up);
    if (frame !== undefined && frame.width > 0 && frame.height > 0 && role !== Role.application) {
      const clipped = intersection(part, frame);
      if (clipped !== undefined) part = clipped;
      else if (
        CLIPS.has(role) || isQtView(snapshot, up) ||
        isItemOf(snapshot, row, up) && !snapshot.has(row, "showing")
      ) {
        return undefined;
      }
    }
    if (isSurface(snapshot, up)) break;
  }
  return part;
}

/** A scroll area of Qt, or what lies in it beside its scroll bars: both are boxes like any other. */
function isQtView(snapshot: Snapshot, row: number): boolean {
  if (snapshot.role(row) !== Role.filler || !isQt(snapshot.origin.application)) return false;
  const parent = snapshot.parent(row);
  return barsIn(snapshot, row).length > 0 || parent >= 0 && barsIn(snapshot, parent).length > 0;
}

/** What two rectangles share; undefined: nothing. */
export function intersection(a: Rect, b: Rect): Rect | undefined {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}
