import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { Role } from "../roles.ts";
import { leavesMenusOpen } from "../toolkits.ts";
import { type Place, placeOf } from "./place.ts";
import { watchUntil } from "./read-back.ts";

/** Menus inside of one another that are closed; more are left open. */
const MOST = 5;

/**
 * Closes the menus that a chosen item has left open (Swing), as a click on it would have: Escape, until none of the menus
 * that the item is in shows. In the background they stay.
 */
export async function closeMenus(desktop: Desktop, item: ElementRef, deadline: Deadline): Promise<void> {
  if (desktop.mode === "background" || !desktop.capabilities.input) return;
  const look = () => placeOf(desktop, item, deadline, []);
  const open = ({ application, snapshot, row }: Place) =>
    leavesMenusOpen(application) && snapshot.role(snapshot.parent(row)) === Role.menu &&
    snapshot.has(row, "showing");
  for (let pressed = 0; pressed < MOST && open(await look()); pressed++) {
    await desktop.pressKeys(["Escape"], deadline.call());
    await watchUntil(desktop, look, (now) => !open(now), deadline.within(300), item);
  }
}
