import { toBackstepError } from "../../base/error.ts";
import type { RollbackStep } from "../../contract/events.ts";
import { raise } from "../../desktop/actions/window.ts";
import { windowOwnerFor } from "../../operations/application.ts";
import { bringForward } from "./bring-forward.ts";
import {
  guardDigest,
  isClosedAgain,
  isPartOf,
  quietDigest,
  stillStand,
  whyNotThose,
} from "./guard-digest.ts";
import type { UndoEntry } from "./undo-log.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";

/** Popups of one action that are closed at most: a menu, and what it opened. */
const MOST = 3;

/**
 * The undo of an action that was seen to open windows: Escape, once for each, while exactly those stand that it left, and
 * confirmed by those that stood before it. Undefined: it was not seen to open any.
 */
export async function closeOpened(
  { opened, path, name }: UndoEntry,
  run: DesktopAccess,
): Promise<RollbackStep | undefined> {
  if (opened?.left === undefined) return undefined;
  const { app, before, left } = opened;
  if (left.windows === before) return undefined;
  const step = { path, what: `what ${name} opened` } as const;
  const { desktop } = run.session;
  try {
    if (isClosedAgain(before, await guardDigest(run.session, app, run.deadline))) {
      return { ...step, verdict: "already", reason: "it is closed" };
    }
    const stands = await quietDigest(run.session, app, run.deadline);
    if (!stillStand(left.windows, stands)) {
      return { ...step, verdict: "conflict", reason: whyNotThose(stands) };
    }
    const { session, deadline } = run;
    const application = await windowOwnerFor({ session, desktop, deadline, app }, undefined);
    let stood = left.windows;
    for (let tries = 0; tries < MOST; tries++) {
      // Keys go to the window in front, which may have become another one.
      if (await bringForward(left, desktop, deadline) || await raise(desktop, application, deadline)) {
        // Some lists close when their window comes to the front: then Escape would close the dialog below.
        const raised = await quietDigest(run.session, app, run.deadline);
        if (raised === before) return { ...step, verdict: "already", reason: "it is closed" };
        if (!stillStand(stood, raised)) {
          return { ...step, verdict: "conflict", reason: whyNotThose(raised) };
        }
      }
      await desktop.pressKeys(["Escape"], run.deadline.call());
      const now = await quietDigest(run.session, app, run.deadline);
      if (now === before) return { ...step, verdict: "compensated", method: "Escape" };
      if (now === stood && tries > 0) break;
      // What has come instead (a question, somebody's dialog) is not what this action opened: no Escape may hit it.
      if (!isPartOf(now, stood)) {
        return {
          ...step,
          verdict: "failed",
          method: "Escape",
          reason: "another window came when it was closed",
        };
      }
      stood = now;
    }
    return { ...step, verdict: "failed", method: "Escape", reason: "it still stands" };
  } catch (thrown) {
    const { code, message } = toBackstepError(thrown);
    // In the background no key is pressed: what it opened stays, and is named.
    return { ...step, verdict: code === "needs_focus" ? "unrestorable" : "failed", reason: message };
  }
}
