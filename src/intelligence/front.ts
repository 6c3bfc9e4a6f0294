import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";

const DIALOGS: ReadonlySet<number> = new Set([
  Role.dialog,
  Role.alert,
  Role.fileChooser,
  Role.colorChooser,
  Role.fontChooser,
]);

/** Windows and dialogs that can be seen: the application's children, or the root where it is a window itself. */
export function windowsOf(snapshot: Snapshot, visible: (row: number) => boolean): number[] {
  if (snapshot.size === 0) return [];
  if (snapshot.role(0) !== Role.application) return [0];
  return snapshot.children(0).filter((row) => visible(row) && hasRoom(snapshot, row));
}

/** Popups that Chromium keeps ready are windows without a title. */
function hasRoom(snapshot: Snapshot, row: number): boolean {
  const rect = snapshot.rect(row);
  if (rect !== undefined && (rect.width === 0 || rect.height === 0)) return false;
  return snapshot.name(row) !== "" || snapshot.has(row, "active") || DIALOGS.has(snapshot.role(row)) ||
    snapshot.origin.application.toolkit !== "Chromium";
}

/**
 * What a person would use now. A modal window goes before others, then the active one, then a dialog, then the first: a
 * dialog that has just come is not active yet. What is modal inside of it, as dialogs of web pages are, goes before it.
 */
export function frontOf(
  snapshot: Snapshot,
  windows: readonly number[],
  visible: (row: number) => boolean,
  given?: number,
): { readonly front: number; readonly dialog: boolean } {
  const isDialog = (row: number) => DIALOGS.has(snapshot.role(row));
  const modal = windows.filter((row) => snapshot.has(row, "modal"));
  const active = windows.filter((row) => snapshot.has(row, "active"));
  const top = given ?? modal.find((row) => snapshot.has(row, "active")) ?? modal.at(-1) ?? active.at(-1) ??
    windows.findLast(isDialog) ?? windows[0] ?? -1;
  if (top < 0) return { front: -1, dialog: false };
  const { role } = snapshot.columns;
  let inner = -1;
  for (let row = top + 1, end = snapshot.end(top); row < end; row++) {
    if (DIALOGS.has(role[row] ?? 0) && snapshot.has(row, "modal") && visible(row)) inner = row;
  }
  if (inner >= 0) return { front: inner, dialog: true };
  return { front: top, dialog: isDialog(top) || snapshot.has(top, "modal") };
}
