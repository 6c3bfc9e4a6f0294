import type { Deadline } from "../base/call.ts";
import { toBackstepError } from "../base/error.ts";
import type { Application } from "../desktop/desktop.ts";
import { Role } from "../desktop/roles.ts";
import { applicationFor } from "../operations/application.ts";
import type { Session } from "../session/session.ts";
import { settled } from "./settle.ts";

/** How long windows get to open or close before it is looked at what stands, in milliseconds. */
const QUIET = 100;

/** A menu or a list that hangs from something: only GTK 3 and Chromium tell of it in their trees, the display always. */
const POPUP = "popup";

/**
 * What a step with an `undo:` found or left standing: top-level windows, dialogs by name and main windows without (their
 * titles carry modified marks), and popups, of the application that is meant or, without one, of all. While this is the
 * same, the way back still has something to act on.
 */
export async function guardDigest(
  session: Session,
  app: string | undefined,
  deadline: Deadline,
): Promise<string> {
  const { desktop } = session;
  try {
    const applications = app === undefined
      ? await desktop.applications(deadline.call())
      : [await applicationFor({ session, desktop, deadline, app }, undefined)];
    const all = await Promise.all(applications.map((one) => windowsOf(session, one, deadline)));
    return all.join("\n");
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (code === "app_not_running" || code === "app_gone") return "not running";
    throw thrown;
  }
}

/** The same once the desktop is quiet: what a step opens comes after its answer. */
export async function quietDigest(
  session: Session,
  app: string | undefined,
  deadline: Deadline,
): Promise<string> {
  await settled(session.desktop, QUIET, deadline);
  return await guardDigest(session, app, deadline);
}

/** Do exactly these windows stand? A popup more may be a tooltip, which comes by itself. */
export function stillStand(windows: string, now: string): boolean {
  const managed = (digest: string) => digest.split("\n").filter((line) => line !== POPUP).join("\n");
  return now === windows || (isPartOf(windows, now) && managed(windows) === managed(now));
}

/** Do all windows of one digest stand in another? */
export function isPartOf(digest: string, other: string): boolean {
  const rest = other.split("\n");
  return digest.split("\n").every((window) => {
    const at = rest.indexOf(window);
    return at >= 0 && rest.splice(at, 1).length === 1;
  });
}

async function windowsOf(
  { desktop }: Session,
  application: Application,
  deadline: Deadline,
): Promise<string> {
  const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields: [], maxDepth: 1 });
  const windows = snapshot.children(0).map((row) =>
    snapshot.role(row) === Role.frame ? "frame" : `${snapshot.role(row)} ${snapshot.name(row)}`
  );
  const shown = desktop.capabilities.windows ? await desktop.windows(deadline.call()) : [];
  const popups = shown.filter(({ popup, pid }) => popup && pid !== 0 && pid === application.pid);
  return [application.bus, ...windows, ...popups.map(() => POPUP)].join("\n");
}
