import type { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { OPEN_PORTS } from "../../contract/gate.ts";
import { holds } from "../model/condition.ts";
import type { Budgeted } from "../model/budgets.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import { stoppedAt } from "../model/flow-stopped.ts";
import { settled } from "../model/settle.ts";
import { bringForward } from "./bring-forward.ts";
import { closePopups } from "./close-popups.ts";
import type { Compensation } from "./compensation.ts";
import { guardDigest, onlyStand, QUIET, quietDigest, stillStand, whyNotThose } from "./guard-digest.ts";
import type { DeclaredUndo, UndoEntry } from "./undo-log.ts";

/** Runs the steps of an author's `undo:`, whose paths begin with `prefix`. Throws what stopped them. */
export type RunUndo = (undo: DeclaredUndo, prefix: string, deadline: Deadline) => Promise<void>;

/** What the rollback that it is part of has done. */
export interface Undone {
  /** It ran an `undo:`, and did not wait since: what that closes may still stand. */
  undo: boolean;
}

/** Does the opposite of an action: the author's `undo:` while its guard holds, else the operation's own inverse. */
export async function compensate(
  entry: UndoEntry,
  run: DesktopAccess & Budgeted,
  runUndo: RunUndo,
  undone: Undone,
): Promise<Compensation> {
  const { undo, inverse } = entry;
  if (undo) {
    const obstacle = await obstacleTo(undo, entry, run, undone);
    if (obstacle) return obstacle;
    const prefix = `${entry.path}.undo.`;
    undone.undo = true;
    try {
      await runUndo(undo, prefix, run.deadline);
    } catch (thrown) {
      const stopped = stoppedAt(prefix, thrown);
      await stopped.finish();
      throw stopped.error;
    }
    return { verdict: "compensated", method: "undo" };
  }
  if (!inverse) return { verdict: "already", reason: "there is nothing to undo" };
  const { deadline } = run;
  await run.gate.with(OPEN_PORTS).dispatch(inverse, {
    timeout: Math.max(1, deadline.remaining()),
    ...defined({ signal: deadline.signal }),
  });
  return { verdict: "compensated", method: inverse.operation };
}

/** Why an `undo:` must not be run; undefined when it may: nothing is undone blindly. */
async function obstacleTo(
  undo: DeclaredUndo,
  entry: UndoEntry,
  run: DesktopAccess & Budgeted,
  undone: Undone,
): Promise<Compensation | undefined> {
  const { declared, scope, app, left, before } = undo;
  if (undone.undo) await settled(run.session.desktop, QUIET, run.deadline);
  undone.undo = false;
  if (declared.guard) {
    if (await holds(declared.guard, scope, run, app)) return undefined;
    return { verdict: "already", reason: "what it left is no longer there: its guard does not hold" };
  }
  if (left === undefined && entry.outcome === "done") {
    return { verdict: "unknown", reason: "what it left standing could not be read in time" };
  }
  if (left === undefined || (entry.outcome === "unknown" && left.windows === before)) {
    return { verdict: "unknown", reason: "whether it happened is unknown, and no window shows it" };
  }
  if (await guardDigest(run.session, app, run.deadline) !== left.windows) {
    const now = await quietDigest(run.session, app, run.deadline);
    // A list that came later has the keys and the clicks that are meant for what stands below it.
    const freed = await closePopups(left.windows, now, app, run);
    if (!stillStand(left.windows, freed)) return standsOtherwise(before, freed);
  }
  if (!await bringForward(left, run.session.desktop, run.deadline)) return undefined;
  // Some lists close when a window comes to the front.
  const raised = await quietDigest(run.session, app, run.deadline);
  return stillStand(left.windows, raised) ? undefined : standsOtherwise(before, raised);
}

function standsOtherwise(before: string | undefined, now: string): Compensation {
  if (before !== undefined && onlyStand(before, now)) {
    return { verdict: "already", reason: "what it left is no longer there" };
  }
  return { verdict: "conflict", reason: whyNotThose(now) };
}
