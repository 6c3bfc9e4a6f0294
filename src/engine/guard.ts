import type { Deadline } from "../base/call.ts";
import { Role } from "../desktop/roles.ts";
import { applicationFor } from "../operations/application.ts";
import type { Session } from "../session/session.ts";

/**
 * What a step with an `undo:` left standing: the application's top-level windows, dialogs by name and main windows
 * without (their titles carry modified marks). While this is the same, the way back still has something to act on.
 * Undefined when no application is meant: then there is nothing to compare.
 */
export async function guardDigest(
  session: Session,
  app: string | undefined,
  deadline: Deadline,
): Promise<string | undefined> {
  if (app === undefined) return undefined;
  const { desktop } = session;
  const application = await applicationFor({ session, desktop, deadline, app }, undefined);
  const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields: [], maxDepth: 1 });
  return snapshot.children(0).map((row) =>
    snapshot.role(row) === Role.frame ? "frame" : `${snapshot.role(row)} ${snapshot.name(row)}`
  ).join("\n");
}
