import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { popupWindows } from "../open-popups.ts";
import { outermost } from "../own-window.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { isGtk3 } from "../toolkits.ts";
import { CLOSES, MENUS } from "./open-popup.ts";
import { type Place, placeOf } from "./place.ts";
import { watchUntil } from "./read-back.ts";

const FIELDS: ReadonlySet<number> = new Set([Role.text, Role.entry]);

/**
 * Closes the completions that GTK 3 lists below a field while one types, with Escape, before something else is clicked: as long
 * as they have the pointer, a click anywhere else only closes them, and a key goes to nothing else.
 */
export async function closeCompletions(
  desktop: Desktop,
  element: ElementRef,
  place: Place,
  deadline: Deadline,
): Promise<void> {
  if (!isGtk3(place.application) || !listsCompletions(place)) return;
  // A Wayland display does not tell who has the pointer; they only come while they can have it.
  if (desktop.capabilities.display !== "wayland") {
    const holders = await desktop.holders?.({ windows: [], places: [] }, deadline.call());
    if (holders?.grabbed.pointer !== true) return;
  }
  await desktop.pressKeys(["Escape"], deadline.call());
  await watchUntil(
    desktop,
    async () => popupWindows((await placeOf(desktop, element, deadline, [])).snapshot),
    (open) => open.length === 0,
    deadline.within(CLOSES),
  );
}

/** A list in a popup, which is neither a menu's nor a combo box's and does not hold the element, while a field has the keyboard. */
function listsCompletions(place: Place): boolean {
  const { snapshot } = place;
  const [popup, ...more] = popupWindows(snapshot);
  if (popup === undefined || more.length > 0 || outermost(place) === popup) return false;
  return !hasMenu(snapshot, popup) && isTypedInto(snapshot);
}

function hasMenu(snapshot: Snapshot, popup: number): boolean {
  for (let row = popup + 1; row < snapshot.end(popup); row++) {
    if (MENUS.has(snapshot.role(row))) return true;
  }
  return false;
}

function isTypedInto(snapshot: Snapshot): boolean {
  let field = false;
  for (let row = 1; row < snapshot.size; row++) {
    const role = snapshot.role(row);
    if (role === Role.comboBox && snapshot.has(row, "expanded")) return false;
    field ||= FIELDS.has(role) && snapshot.has(row, "focused");
  }
  return field;
}
