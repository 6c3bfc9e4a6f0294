import { Deadline, pause } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import { differences } from "../../contract/participant.ts";
import { holds } from "../model/condition.ts";
import { leftStanding } from "../rollback/guard-digest.ts";
import type { UndoEntry } from "../rollback/undo-log.ts";
import type { PastAction } from "../journal/past-run.ts";
import { scopeOf } from "./past-undo-log.ts";
import { isIncidental } from "../rollback/restore.ts";
import type { Budgeted } from "../model/budgets.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import type { Reporting } from "../model/reporting.ts";
import type { Surroundings } from "../model/scope.ts";
import { settled } from "../model/settle.ts";

/** What a look tells of an action whose outcome nobody wrote down. */
export type Probed = "done" | "not done" | "in doubt";

/** What a look needs of a run. */
type Probing = DesktopAccess & Budgeted & Reporting & { readonly surroundings: Surroundings };

/** Milliseconds for one look. */
const LOOK = 10_000;
/** What was sent before the process died may still land: the desktop must be quiet for so long. */
const QUIET = 150;
/** An application that was being launched gets so long to show, in milliseconds. */
const SHOWS = 3_000;

/**
 * Whether an action happened that was cut off: its `done_when` tells, or what it protects is otherwise than before it, or the
 * windows are. Only an action of which nothing tells is in doubt. The entry's outcome is what was found.
 */
export async function probe(action: PastAction, entry: UndoEntry, run: Probing): Promise<Probed> {
  const deadline = Deadline.after(LOOK, run.hardStop);
  await settled(run.session.desktop, QUIET, deadline);
  const found = await byCondition(action, entry, run) ?? await byLooks(action, entry, run, deadline);
  entry.outcome = found === "done" ? "done" : found === "not done" ? "failed" : "unknown";
  return found;
}

async function byCondition(
  action: PastAction,
  entry: UndoEntry,
  run: Probing,
): Promise<Probed | undefined> {
  const { doneWhen, app } = action.reported;
  if (!doneWhen) return undefined;
  try {
    return await holds(doneWhen, scopeOf(action, run.surroundings), run, app ?? undefined)
      ? "done"
      : "not done";
  } catch (thrown) {
    const message = `Step ${entry.path}: done_when does not say whether it happened: ${
      toBackstepError(thrown).message
    }`;
    run.emit({ event: "note", level: "warning", message });
    return undefined;
  }
}

async function byLooks(
  action: PastAction,
  entry: UndoEntry,
  run: Probing,
  deadline: Deadline,
): Promise<Probed> {
  const seen = entry.beforeImages.filter(({ before }) =>
    !isIncidental(before) && Object.keys(before.properties).length > 0
  );
  const { startsApplication } = run.gate.traitsOf(entry.operation);
  const limit = deadline.within(startsApplication ? SHOWS : 0);
  let equal = true;
  do {
    for (const { participant, before } of seen) {
      try {
        const now = await participant.capture(run.session.desktop, deadline.call());
        equal &&= differences("", before, now).length === 0;
      } catch {
        return "in doubt"; // what it protects does not answer: nothing tells
      }
    }
    if (equal && !limit.passed) await pause(100, deadline.signal);
  } while (equal && !limit.passed);
  if (!equal) return "done";
  // What a barrier is seen to change is no evidence that it was not done.
  if (entry.barrier) return "in doubt";
  const windows = await byWindows(action, entry, run, deadline);
  if (windows === "done") return "done";
  // Keys and buttons may do what shows nowhere; what is restored by its own state shows in that.
  if (entry.undo && seen.length === 0) return "in doubt";
  return seen.length > 0 || windows === "not done" ? "not done" : "in doubt";
}

/** What stands tells of actions that open windows; on a desktop that others use it may be theirs. */
async function byWindows(
  { reported: { app, stood } }: PastAction,
  entry: UndoEntry,
  run: Probing,
  deadline: Deadline,
): Promise<Probed | undefined> {
  if (stood === null || run.session.kind === "attached") return undefined;
  const now = await leftStanding(run.session, app ?? undefined, deadline);
  if (now.windows === stood) return "not done";
  if (entry.undo) entry.undo.left = now;
  if (entry.opened) entry.opened.left = now;
  return "done";
}
