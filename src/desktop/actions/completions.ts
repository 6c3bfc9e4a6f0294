import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { popupWindows } from "../open-popups.ts";
import { MENUS } from "./open-popup.ts";

const FIELDS: ReadonlySet<number> = new Set([Role.text, Role.entry]);

/**
 * Closes the completions that GTK 3 lists below a field while one types, with Escape: as long as they have the pointer, a click
 * anywhere else only closes them, and a key goes to nothing else.
 */
export async function closeCompletions(
  desktop: Desktop,
  snapshot: Snapshot,
  deadline: Deadline,
): Promise<void> {
  if (!listsCompletions(snapshot)) return;
  // A Wayland display does not tell who has the pointer; they only come while they can have it.
  if (desktop.capabilities.display !== "wayland") {
    const holders = await desktop.holders?.({ windows: [], places: [] }, deadline.call());
    if (holders?.grabbed.pointer !== true) return;
  }
  await desktop.pressKeys(["Escape"], deadline.call());
}

/** A list in a popup, which is neither a menu's nor a combo box's, while a field has the keyboard. */
function listsCompletions(snapshot: Snapshot): boolean {
  const [popup, ...more] = popupWindows(snapshot);
  if (popup === undefined || more.length > 0) return false;
  for (let row = popup + 1; row < snapshot.end(popup); row++) {
    if (MENUS.has(snapshot.role(row))) return false;
  }
  let field = false;
  for (let row = 1; row < snapshot.size; row++) {
    const role = snapshot.role(row);
    if (role === Role.comboBox && snapshot.has(row, "expanded")) return false;
    field ||= FIELDS.has(role) && snapshot.has(row, "focused");
  }
  return field;
}
