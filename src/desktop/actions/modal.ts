import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, Window } from "../desktop.ts";
import type { Application, ElementRef } from "../element.ts";
import { outermost, ownWindow } from "../own-window.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { isGtk, isQt } from "../toolkits.ts";
import { label } from "./label.ts";
import { keptAround } from "./place.ts";
import { watchUntil } from "./read-back.ts";

/** Windows that hang from another one: their opener may lie in the dialog. */
const POPUPS: ReadonlySet<number> = new Set([Role.window, Role.toolTip]);

/**
 * Throws `not_actionable` while a modal dialog of GTK or Qt keeps an element from a person: its own action would go past the dialog,
 * and what that opens in GTK 3 in turn locks the application up. One that is about to close is waited for. Only where the element's
 * window is the only one that can be meant: which of several a dialog is modal for, nothing tells. Qt tells X11 alone.
 */
export async function requireNoModal(
  desktop: Desktop,
  element: ElementRef,
  application: Application,
  doing: string,
  deadline: Deadline,
): Promise<void> {
  const { capabilities, kind } = desktop;
  if (kind === "simulated" || !(isGtk(application) || isQt(application))) return;
  // There the window system tells of every modal window, so that the tree is looked at only where there is one.
  const listed = capabilities.windows && capabilities.display === "x11";
  if (!listed && !isGtk(application)) return;
  let how: { readonly recent?: true } = { recent: true };
  const look = async () => {
    const windows = listed ? await desktop.windows({ ...deadline.call(), ...how }) : [];
    if (listed && !windows.some(({ modal, pid }) => modal === true && pid === application.pid)) {
      return undefined;
    }
    const held = await keptAround(desktop, application, element, deadline, how);
    how = {};
    const row = held.rowOf(element);
    if (row < 0) return undefined;
    const own = outermost({ snapshot: held, row });
    if (isGtk(application)) return modalBeside(held, own, windows);
    // A dialog may have the title of its window: their places tell which is which.
    const frames = await desktop.snapshot(application, {
      ...deadline.call(),
      maxDepth: 1,
      fields: ["extents", "id"],
    });
    return modalBeside(frames, frames.rowOf(held.element(own)), windows);
  };
  if (await look() === undefined) return;
  const { held, last: modal } = await watchUntil(
    desktop,
    look,
    (one) => one === undefined,
    deadline,
    element,
  );
  if (held || modal === undefined) return;
  throw new BackstepError(
    "not_actionable",
    `Cannot ${doing}: ${modal} is modal, and nothing beside it can be used`,
    {
      hint: "Use or close that dialog first.",
      details: { modal, outcome: "not_sent" },
    },
  );
}

/** What is modal while a window is known not to be, for people. */
function modalBeside(snapshot: Snapshot, own: number, windows: readonly Window[]): string | undefined {
  if (own < 0) return undefined;
  if (isModal(snapshot, own, windows) !== false || POPUPS.has(snapshot.role(own))) return undefined;
  const others = snapshot.children(snapshot.parent(own)).filter((one) =>
    one !== own && snapshot.has(one, "showing") && !POPUPS.has(snapshot.role(one))
  );
  const modal = others.at(-1);
  if (modal === undefined || others.some((one) => isModal(snapshot, one, windows) !== true)) return undefined;
  return label(snapshot.element(modal));
}

/** Of a window in the tree; undefined: it is not known which window of the display it is. */
function isModal(snapshot: Snapshot, row: number, windows: readonly Window[]): boolean | undefined {
  const { application } = snapshot.origin;
  if (isGtk(application)) return snapshot.has(row, "modal");
  const window = ownWindow({ application, snapshot, row }, row, windows);
  return window && window.modal === true;
}
