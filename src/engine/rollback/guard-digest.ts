import type { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Application, Desktop, ElementRef } from "../../desktop/desktop.ts";
import { openPopups } from "../../desktop/open-popups.ts";
import { isQuick, quickPopups } from "../../desktop/quick.ts";
import { Role } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { windowOwnerFor } from "../../operations/application.ts";
import { isAccessible } from "../../session/inaccessible.ts";
import type { Session } from "../../session/session.ts";
import type { LeftStanding } from "../model/left-standing.ts";
import { settled } from "../model/settle.ts";

/** How long windows get to open or close before it is looked at what stands, in milliseconds. */
export const QUIET = 100;

/** What stands of an application that does not run. */
const NOT_RUNNING = "not running";
/** A menu or a list that hangs from something: only GTK 3 and Chromium tell of it in their trees, an X display always. */
const POPUP = "popup";
/** The same in the tree of GTK 3, beside what the display tells. */
const POPUP_WINDOW = `${Role.window} `;
/** A main window: its title carries modified marks, and is left out. */
const FRAME = "frame";

/**
 * What a step with an `undo:` found or left standing: top-level windows, dialogs by name and main windows without (their
 * titles carry modified marks), and popups, of the application that is meant or, without one, of all. While this is the
 * same, the rollback still has something to act on.
 */
export async function guardDigest(
  session: Session,
  app: string | undefined,
  deadline: Deadline,
): Promise<string> {
  return (await standing(session, app, deadline)).windows;
}

/** The same once the desktop is quiet: what a step opens comes after its answer. */
export async function quietDigest(
  session: Session,
  app: string | undefined,
  deadline: Deadline,
): Promise<string> {
  return (await leftStanding(session, app, deadline)).windows;
}

/** What stands once the desktop is quiet. */
export async function leftStanding(
  session: Session,
  app: string | undefined,
  deadline: Deadline,
): Promise<LeftStanding> {
  await settled(session.desktop, QUIET, deadline);
  return await standing(session, app, deadline);
}

async function standing(
  session: Session,
  app: string | undefined,
  deadline: Deadline,
): Promise<LeftStanding> {
  const { desktop } = session;
  try {
    const applications = app === undefined
      ? await desktop.applications(deadline.call())
      : [await windowOwnerFor({ session, desktop, deadline, app }, undefined)];
    const all = await Promise.all(applications.map((one) => standingOf(session, one, deadline)));
    return {
      windows: all.map(({ windows }) => windows).join("\n"),
      front: all.find(({ front }) => front !== undefined)?.front,
    };
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (code === "app_not_running" || code === "app_gone") return { windows: NOT_RUNNING };
    throw thrown;
  }
}

/** Do exactly these windows stand? A popup more may be a tooltip whose toolkit does not call it one. */
export function stillStand(windows: string, now: string): boolean {
  return now === windows || (isPartOf(windows, now) && managed(windows) === managed(now));
}

/**
 * Does nothing more stand than these windows? A menu that a step was chosen from was open before it, and is closed by it: that
 * it is closed is no sign of somebody else.
 */
export function onlyStand(windows: string, now: string): boolean {
  return stillStand(windows, now) || (isPartOf(now, windows) && managed(now) === managed(windows));
}

/**
 * How many lists and menus that are windows in the tree (GTK 3) stand beside these windows: the completions of a field, a menu.
 * 0 where anything else stands there, too.
 */
export function popupsBeside(windows: string, now: string): number {
  if (!isPartOf(windows, now)) return 0;
  const rest = now.split("\n");
  for (const window of windows.split("\n")) rest.splice(rest.indexOf(window), 1);
  const popups = rest.filter((line) => line === POPUP_WINDOW).length;
  return rest.every((line) => line === POPUP_WINDOW || line === POPUP) ? popups : 0;
}

/** Does nothing stand but what stood before an action, or that without menus and lists that closed since? */
export function isClosedAgain(before: string, now: string): boolean {
  if (!isPartOf(now, before)) return false;
  const rest = before.split("\n");
  for (const window of now.split("\n")) rest.splice(rest.indexOf(window), 1);
  return rest.every((line) => line === POPUP_WINDOW || line === POPUP);
}

/** Why nothing is done where other windows stand than those that a step left. */
export function whyNotThose(now: string): string {
  return now === NOT_RUNNING
    ? "its application does not run any more"
    : "other windows are open than those that it left";
}

function managed(digest: string): string {
  return digest.split("\n").filter((line) => line !== POPUP).join("\n");
}

/** Do all windows of one digest stand in another? */
export function isPartOf(digest: string, other: string): boolean {
  const rest = other.split("\n");
  return digest.split("\n").every((window) => {
    const at = rest.indexOf(window);
    return at >= 0 && rest.splice(at, 1).length === 1;
  });
}

async function standingOf(
  { desktop }: Session,
  application: Application,
  deadline: Deadline,
): Promise<LeftStanding> {
  const shown = (desktop.capabilities.windows ? await desktop.windows(deadline.call()) : [])
    .filter(({ tooltip, pid }) => tooltip !== true && pid !== 0 && pid === application.pid);
  const popups = shown.filter(({ popup }) => popup).map(() => POPUP);
  const front = shown.find(({ active, popup }) => active && !popup)?.id;
  if (!isAccessible(application)) {
    // Only the display tells of it.
    const windows = shown.filter(({ popup }) => !popup).map(() => FRAME);
    return { windows: [`pid ${application.pid}`, ...windows, ...popups].join("\n"), front };
  }
  const toplevels = await toplevelsOf(desktop, application, deadline);
  const listed = desktop.capabilities.display === "wayland"
    ? openPopups(await desktop.snapshot(application, { ...deadline.call(), fields: ["extents"] })).map(() =>
      POPUP
    )
    : popups;
  return { windows: [application.bus, ...toplevels, ...listed].join("\n"), front };
}

async function toplevelsOf(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
): Promise<string[]> {
  const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields: [], maxDepth: 1 });
  const toplevels = snapshot.children(0).filter((row) => {
    const role = snapshot.role(row);
    // Qt lists its tooltips among its windows, and dialogs that it keeps hidden once they are closed.
    return role !== Role.toolTip && (role === Role.frame || snapshot.has(row, "visible"));
  });
  const inside = await Promise.all(
    toplevels.filter((row) => isQuick(snapshot, row)).map((row) =>
      openInside(desktop, application, snapshot.element(row), deadline)
    ),
  );
  return [
    ...toplevels.map((row) =>
      snapshot.role(row) === Role.frame ? FRAME : `${snapshot.role(row)} ${snapshot.name(row)}`
    ),
    ...inside.flat(),
  ];
}

/** What pops up inside of a window of Qt Quick, which no display tells: dialogs by name, menus and lists. */
async function openInside(
  desktop: Desktop,
  application: Application,
  root: ElementRef,
  deadline: Deadline,
): Promise<string[]> {
  let window: Snapshot;
  try {
    window = await desktop.snapshot(application, { ...deadline.call(), fields: [], root, maxDepth: 1 });
  } catch (thrown) {
    // Closed since it was listed: what it holds went with it.
    if (toBackstepError(thrown).code === "stale") return [];
    throw thrown;
  }
  return quickPopups(window, 0).map((row) => {
    const name = window.name(row);
    return window.role(row) === Role.dialog && name !== "" ? `${Role.dialog} ${name}` : POPUP;
  });
}
