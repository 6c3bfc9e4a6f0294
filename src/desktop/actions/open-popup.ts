import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Rect } from "../element.ts";
import { centre, contains } from "../rect.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { isContainer } from "./items.ts";
import { label } from "./label.ts";
import { type Place, placeOf } from "./place.ts";
import { ancestors } from "../ancestors.ts";
import { openPopups } from "../open-popups.ts";
import { watchUntil } from "./read-back.ts";

/** Pixels by which a popup may be larger than what it shows. */
const BORDERS = 48;
/** What holds items of a menu. */
export const MENUS: ReadonlySet<number> = new Set([Role.menu, Role.popupMenu]);

/** Milliseconds that what is about to close is given: a busy application takes its time over it. */
export const CLOSES = 1_000;

/**
 * Throws `not_actionable` where a list of a combo box or a menu of the application stays open and the row is not in it: it has
 * the pointer, so that a click beside it only closes it, and the row never hears of it. A tooltip has no pointer.
 */
export async function requireNoPopup(
  desktop: Desktop,
  element: ElementRef,
  seen: Place,
  doing: string,
  deadline: Deadline,
): Promise<void> {
  if (!desktop.capabilities.windows) return;
  const popups = async () =>
    (await desktop.windows({ ...deadline.call(), recent: true }))
      .filter(({ popup, tooltip, pid }) => popup && tooltip !== true && pid === seen.application.pid).map((
        { rect },
      ) => rect);
  const look = () => placeOf(desktop, element, deadline, ["extents"]);
  const wayland = desktop.capabilities.display === "wayland";
  if ((wayland ? openInTree(seen) : openerAbove(seen, await popups())) === undefined) return;
  const { held, last: open } = await watchUntil(
    desktop,
    async () => {
      if (wayland) return openInTree(await look());
      const now = await popups();
      return now.length === 0 ? undefined : openerAbove(await look(), now);
    },
    (opener) => opener === undefined,
    deadline.within(CLOSES),
  );
  if (held || open === undefined) return;
  throw new BackstepError("not_actionable", `Cannot ${doing}: the list or menu of ${open} is open above it`, {
    hint: "Close it first, with Escape: a click beside it would only close it.",
    details: { open, outcome: "not_sent" },
  });
}

/** What is open above a row that is not in it, for people. */
function openerAbove(place: Place, popups: readonly Rect[]): string | undefined {
  return namedUnlessAround(place, openerIn(place.snapshot, popups));
}

/** The same by the tree alone. */
function openInTree(place: Place): string | undefined {
  return namedUnlessAround(place, openPopups(place.snapshot).at(-1));
}

function namedUnlessAround({ snapshot, row }: Place, opener: number | undefined): string | undefined {
  if (opener === undefined || opener === row || ancestors(snapshot, row).includes(opener)) return undefined;
  return label(snapshot.element(opener));
}

/** A combo box whose list is drawn in one of the popups, or a menu that is. */
function openerIn(snapshot: Snapshot, popups: readonly Rect[]): number | undefined {
  if (popups.length === 0) return undefined;
  for (let row = 1; row < snapshot.size; row++) {
    const role = snapshot.role(row);
    if (role === Role.comboBox && snapshot.has(row, "expanded")) return row;
    if (!isContainer(role) && !MENUS.has(role)) continue;
    // GTK 4.8 and Qt 5 say neither EXPANDED nor SHOWING of what is open: where it is drawn tells.
    const rect = snapshot.rect(row);
    if (rect === undefined || !popups.some((popup) => fills(popup, rect))) continue;
    const combo = ancestors(snapshot, row).find((up) => snapshot.role(up) === Role.comboBox);
    if (combo !== undefined || MENUS.has(role)) return combo ?? row;
  }
  return undefined;
}

/** Is a list or menu drawn in this popup, with no more than borders and shadows around it? */
function fills(popup: Rect, rect: Rect): boolean {
  const { x, y } = centre(rect);
  return contains(popup, x, y) && Math.abs(popup.width - rect.width) <= BORDERS &&
    Math.abs(popup.height - rect.height) <= BORDERS;
}
