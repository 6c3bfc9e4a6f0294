import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, Window } from "../desktop.ts";
import type { Application, ElementRef, Reading, Rect } from "../element.ts";
import { isQuick } from "../quick.ts";
import { MENU_ITEMS, Role } from "../roles.ts";
import { centre, contains } from "../rect.ts";
import { actsInDispatch, isGtk, isGtk3, isGtk4, isQt } from "../toolkits.ts";
import { needsFocus } from "../mode.ts";
import { actionNamed } from "./action.ts";
import type { Attempts, Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { isIn } from "./label.ts";
import { CLOSES, requireNoPopup } from "./open-popup.ts";
import { type Place, placeOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { watchUntil } from "./read-back.ts";
import { popupWindows } from "../open-popups.ts";
import { intersection } from "../visible.ts";

/** What does what it does when it is pressed, however fast one press follows another. */
const PRESSED: ReadonlySet<number> = new Set([
  Role.pushButton,
  Role.toggleButton,
  Role.checkBox,
  Role.radioButton,
  Role.switch,
]);

/** What a toolkit does badly by its own action, so that the pointer comes first where it may be used. */
interface Preference {
  readonly is: (application: Application, desktop: Pick<Desktop, "kind">) => boolean;
  readonly roles: ReadonlySet<number>;
}

const PREFERENCES: readonly Preference[] = [
  // Chosen by its action, an item leaves the menu open, and the keyboard with it.
  { is: isQt, roles: MENU_ITEMS },
  // An action runs its handler inside the D-Bus dispatch: while a dialog of that handler stands, the application answers
  // nobody, and the next key locks it up for good. On the simulated desktop there is no such dispatch.
  {
    is: (application, { kind }) => kind !== "simulated" && actsInDispatch(application),
    roles: new Set([...MENU_ITEMS, Role.pushButton]),
  },
  // An action presses a button as a finger would, and what it does comes 250 ms (GTK 4) or 100 ms (Qt) after the answer; a
  // toggle of Qt is flipped by it, and nobody who listens for clicks hears of that. Nobody asked for the pointer: it is
  // used where nobody sits.
  {
    is: (application, { kind }) => kind === "isolated" && (isGtk4(application) || isQt(application)),
    roles: new Set([...MENU_ITEMS, ...PRESSED]),
  },
];

/** Does the pointer come before the action of an element here? */
export function prefersPointer(
  desktop: Pick<Desktop, "kind" | "capabilities">,
  { role }: Pick<Reading, "role">,
  application: Application,
): boolean {
  if (!desktop.capabilities.input) return false;
  return PREFERENCES.some(({ is, roles }) => roles.has(role) && is(application, desktop));
}

/**
 * Clicks with the pointer what its toolkit does badly by its action, where it shows and the pointer may be used. Undefined:
 * it is none of these, or the pointer does not reach it, which is noted.
 */
export async function pointerFirst(
  desktop: Desktop,
  element: ElementRef,
  reading: Reading,
  application: Application,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done | undefined> {
  if (!prefersPointer(desktop, reading, application)) return undefined;
  // A menu of Qt that no press opened is no popup on Wayland, but a window wherever the compositor puts it.
  const pressed = isQt(application) && desktop.capabilities.display === "wayland";
  if (opensMenu(reading) && !pressed) return undefined;
  if (desktop.mode === "background") {
    if (opensDialog(reading) && actsInDispatch(application)) throw needsFocus(attempts.doing);
    return undefined;
  }
  return await attempts.attempt(inputMethod(desktop, "click"), async () => {
    await clickShown(desktop, element, reading, application, attempts.doing, deadline);
    return true;
  }, { verified: false });
}

/**
 * Clicks with the pointer what can be seen where it is, and only there. Errors: `not_actionable` where the pointer does not
 * reach it, before anything is sent.
 */
export async function clickShown(
  desktop: Desktop,
  element: ElementRef,
  reading: Reading,
  application: Application,
  doing: string,
  deadline: Deadline,
): Promise<void> {
  // GTK 4 says of hardly anything that it shows: there its place tells.
  if (!isGtk4(application) && !isIn(reading, "showing")) {
    throw new BackstepError("not_actionable", "it does not show, so that the pointer cannot reach it");
  }
  const require = async (place: Place) => {
    await requireOpenMenu(desktop, place, deadline);
    await requireNoMenu(desktop, element, place, deadline);
    await requireNoBubble(desktop, element, place, deadline);
    await requireNoPopup(desktop, element, place, doing, deadline);
  };
  // Qt Quick takes the second of two clicks for a double click, also of a button (5.15), or where its program wants that (6).
  const again = ({ snapshot, row }: Place) => PRESSED.has(reading.role) && !isQuick(snapshot, row);
  await clickOn(desktop, element, deadline, { require, asItLies: true, again });
}

/** By the dots behind its name, which say so (GNOME Human Interface Guidelines). Its dialog would come to the front, too. */
function opensDialog({ name }: Reading): boolean {
  return /(\.\.\.|…)\s*$/.test(name);
}

function opensMenu(reading: Reading): boolean {
  return actionNamed(reading, ["showmenu"]) !== undefined || isIn(reading, "hasPopup");
}

/** An item may say that it shows while its menu is closed: where it was is something else by then. */
async function requireOpenMenu(
  desktop: Desktop,
  { snapshot, row, application }: Place,
  deadline: Deadline,
): Promise<void> {
  const rect = snapshot.rect(row);
  if (!MENU_ITEMS.has(snapshot.role(row)) || !isGtk(application) || !desktop.capabilities.windows) return;
  if (rect === undefined || snapshot.role(snapshot.parent(row)) === Role.menuBar) return;
  const { x, y } = centre(rect);
  const windows = await desktop.windows({ ...deadline.call(), recent: true });
  if (windows.some((one) => one.popup && one.pid === application.pid && contains(one.rect, x, y))) return;
  throw new BackstepError("not_actionable", "no open menu shows it, so that the pointer cannot reach it");
}

/**
 * While a menu or a popover is open that has the pointer, a click hits what it covers with, and anywhere else it is taken for
 * the wish to close it. One that is about to close is waited for.
 */
async function requireNoMenu(
  desktop: Desktop,
  element: ElementRef,
  place: Place,
  deadline: Deadline,
): Promise<void> {
  const { snapshot, row, application } = place;
  if (!desktop.capabilities.windows) return;
  if (isGtk3(application) && MENU_ITEMS.has(snapshot.role(row))) return;
  if (!await takesClick(desktop, place, deadline)) return;
  const inTree = isGtk3(application) && desktop.capabilities.display === "wayland";
  const { held } = await watchUntil(
    desktop,
    async () => takesClick(desktop, inTree ? await placeOf(desktop, element, deadline, []) : place, deadline),
    (open) => !open,
    deadline.within(CLOSES),
  );
  if (!held) throw new BackstepError("not_actionable", "a menu is open, which would take the click");
}

async function takesClick(desktop: Desktop, place: Place, deadline: Deadline): Promise<boolean> {
  const { snapshot, row, application } = place;
  // There no list of windows has what pops up.
  if (isGtk3(application) && desktop.capabilities.display === "wayland") {
    return popupWindows(snapshot).length > 0;
  }
  const popups = (await desktop.windows({ ...deadline.call(), recent: true }))
    .filter(({ popup, tooltip, pid }) => popup && tooltip !== true && pid === application.pid);
  if (isGtk3(application)) return popups.length > 0;
  if (popups.length === 0 || popups.some((popup) => holds(popup, snapshot.rect(row)))) return false;
  // GTK 4 does not tell which popup only explains something: that one has no pointer.
  const holders = await desktop.holders?.({ windows: [], places: [] }, deadline.call());
  return holders?.grabbed.pointer ?? true;
}

function holds({ rect }: Window, inner: Rect | undefined): boolean {
  if (inner === undefined) return false;
  const { x, y } = centre(inner);
  return contains(rect, x, y);
}

/**
 * A popover of GTK 3 is drawn in its window, above the rest of it, and hangs below the window after its content. While it is
 * there, a click beside it only closes it. It fades out after it was closed, which is waited for.
 */
async function requireNoBubble(
  desktop: Desktop,
  element: ElementRef,
  seen: Place,
  deadline: Deadline,
): Promise<void> {
  if (!isGtk3(seen.application) || !isUnderBubble(seen)) return;
  const { held } = await watchUntil(
    desktop,
    async () => isUnderBubble(await placeOf(desktop, element, deadline, ["extents"])),
    (under) => !under,
    deadline.within(CLOSES),
  );
  if (held) return;
  throw new BackstepError(
    "not_actionable",
    "a popover is open above it: a click beside that would only close it",
  );
}

function isUnderBubble({ snapshot, row }: Place): boolean {
  let branch = row;
  for (let up = snapshot.parent(row); up > 0; branch = up, up = snapshot.parent(up)) {
    if (snapshot.parent(up) > 0) continue;
    const below = snapshot.rect(branch);
    return snapshot.children(up).some((child) => {
      const rect = snapshot.rect(child);
      return child > branch && snapshot.has(child, "showing") && below !== undefined && rect !== undefined &&
        intersection(below, rect) !== undefined;
    });
  }
  return false;
}
