import type { Rect } from "./element.ts";
import { visiblePart } from "./visible.ts";
import { isPopover } from "./popover.ts";
import { contains } from "./rect.ts";
import { Role } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";
import { isGtk4 } from "./toolkits.ts";

/** What opens above a window, wherever it hangs in the tree. */
const POPUPS: ReadonlySet<number> = new Set([Role.menu, Role.popupMenu, Role.comboBox, Role.toolTip]);
/** What a box that drops down shows in its list alone. */
const LISTED: ReadonlySet<number> = new Set([Role.listItem, Role.menuItem, Role.treeItem, Role.tableCell]);
/** How far a row may stick out of the popup that shows it: borders and shadows. */
const SLACK = 5;

/**
 * The row that is drawn at a point of the screen as far as the tree tells: the last one in its order whose visible part
 * holds the point, since what comes later is drawn above. In a popup, told by its window's rectangle, only what hangs in a
 * menu or a box that drops down; elsewhere nothing of these. `within`: only in this subtree. -1: none.
 */
export function hitTest(snapshot: Snapshot, x: number, y: number, popup?: Rect, within = 0): number {
  for (let row = snapshot.end(within) - 1; row > within; row--) {
    const rect = snapshot.rect(row);
    if (rect === undefined || !contains(rect, x, y) || !shows(snapshot, row)) continue;
    const inPopup = hangsInPopup(snapshot, row);
    if (popup === undefined) {
      const part = inPopup ? undefined : visiblePart(snapshot, row);
      if (part !== undefined && contains(part, x, y)) return row;
    } else if (inPopup && startsIn(rect, popup)) {
      return row;
    }
  }
  return -1;
}

function shows(snapshot: Snapshot, row: number): boolean {
  // GTK 4.8 says SHOWING of almost nothing.
  return snapshot.has(row, "visible") &&
    (snapshot.has(row, "showing") || isGtk4(snapshot.origin.application));
}

/** Is it inside of a menu, or of a combo box but not of its closed part? */
function hangsInPopup(snapshot: Snapshot, row: number): boolean {
  const rect = snapshot.rect(row);
  for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) {
    if (isPopover(snapshot, up)) return true;
    if (!POPUPS.has(snapshot.role(up))) continue;
    const frame = snapshot.rect(up);
    if (snapshot.role(up) !== Role.comboBox || frame === undefined || rect === undefined) return true;
    // The list of Qt opens above its box.
    if (LISTED.has(snapshot.role(row))) return true;
    // A button or an entry in the box is no part of what drops down.
    return !(startsIn(rect, frame) && rect.y + rect.height <= frame.y + frame.height + SLACK);
  }
  return false;
}

function startsIn(rect: Rect, outer: Rect): boolean {
  return rect.x >= outer.x - SLACK && rect.y >= outer.y - SLACK &&
    rect.x < outer.x + outer.width && rect.y < outer.y + outer.height;
}
