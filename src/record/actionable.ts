import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isGtk4 } from "../desktop/toolkits.ts";
import { isInteractive, wordOf } from "../desktop/vocabulary.ts";

/** Windows, and what they are in: nothing that is clicked lies above. */
const TOPLEVELS: ReadonlySet<number> = new Set([
  Role.frame,
  Role.window,
  Role.dialog,
  Role.alert,
  Role.fileChooser,
  Role.application,
  Role.documentWeb,
  Role.internalFrame,
]);

/**
 * What a person means who clicks on a row: the row itself where it can be used, else the nearest thing around it that can;
 * a label in a button means the button. -1: nothing there can be used.
 */
export function meantBy(snapshot: Snapshot, row: number): number {
  for (let at = row; at > 0; at = snapshot.parent(at)) {
    if (TOPLEVELS.has(snapshot.role(at))) return -1;
    if (isUsable(snapshot, at)) return isArrow(snapshot, at) ? snapshot.parent(at) : at;
  }
  return -1;
}

/** The arrow of a row of a tree of GTK 4: a button in what it opens, which tells alone whether that is open. */
function isArrow(snapshot: Snapshot, row: number): boolean {
  const around = snapshot.parent(row);
  return isGtk4(snapshot.origin.application) && snapshot.role(row) === Role.pushButton &&
    snapshot.role(around) === Role.panel && snapshot.has(around, "expandable");
}

/** Can a person do something with the row itself? */
export function isUsable(snapshot: Snapshot, row: number): boolean {
  const word = wordOf(snapshot, row);
  // Qt Quick tells the menus of a bar as bars in it.
  if (word === "menubar" && snapshot.role(snapshot.parent(row)) === Role.menuBar) return true;
  // What only holds others is used by what it holds.
  if (word === "menubar" || word === "list" || word === "table" || word === "tree") return false;
  if (snapshot.role(row) === Role.scrollBar || snapshot.role(row) === Role.icon) return true;
  // Chromium tells texts in items as static, and headings of panels as buttons.
  return isInteractive(word) || snapshot.has(row, "checkable") ||
    (snapshot.has(row, "editable") && snapshot.has(row, "focusable"));
}

/** Is one the other, or around it? */
export function isWithin(snapshot: Snapshot, row: number, outer: number): boolean {
  return row >= outer && row < snapshot.end(outer);
}
