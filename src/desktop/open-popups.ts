import { popoversOf } from "./popover.ts";
import { Role } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";
import { isGtk4, isQt } from "./toolkits.ts";

/**
 * The lists and menus that are open, by the tree alone: the rows of their boxes and popovers. For Wayland, where no list of windows
 * has popups. Popovers of GTK 4 say VISIBLE only while they are open. Of Qt's combo boxes Qt 6 says EXPANDED, and Qt 5 gives
 * the list a size. What other toolkits open is among the windows that they list themselves.
 */
export function openPopups(snapshot: Snapshot): number[] {
  const { application } = snapshot.origin;
  if (isGtk4(application)) return popoversOf(snapshot).filter((row) => snapshot.has(row, "visible"));
  if (!isQt(application)) return [];
  const rows: number[] = [];
  for (let row = 1; row < snapshot.size; row++) {
    if (snapshot.role(row) === Role.comboBox && isOpen(snapshot, row)) rows.push(row);
  }
  return rows;
}

/** The windows that pop up, as GTK 3 lists them: menus, lists, completions. A frame or a dialog has another role. */
export function popupWindows(snapshot: Snapshot): number[] {
  return snapshot.children(0).filter((row) =>
    snapshot.role(row) === Role.window && snapshot.has(row, "showing")
  );
}

function isOpen(snapshot: Snapshot, combo: number): boolean {
  return snapshot.has(combo, "expanded") ||
    snapshot.children(combo).some((row) => {
      return snapshot.role(row) === Role.list && (snapshot.rect(row)?.width ?? 0) > 0;
    });
}
