import type { RollbackResult } from "../../contract/events.ts";
import type { FinalRead } from "../rollback/final-read.ts";
import { takeLastLook } from "../rollback/final-reads.ts";
import { type UndoEntry, UndoLog } from "../rollback/undo-log.ts";
import type { PastAction } from "../journal/past-run.ts";
import { isIncidental } from "../rollback/restore.ts";
import { type Recovered, type Recovery, undoLogOf } from "./recovery.ts";
import { Deadline } from "../../base/call.ts";
import { rollBack } from "../rollback/rollback.ts";
import { exitCode } from "../rollback/outcomes.ts";

/** What `undo` undid, put in place again; a redo that was cut off is done again, which changes nothing twice. */
export async function redoAgain(
  recovery: Recovery,
  from: number,
): Promise<Omit<Recovered, "run" | "workflow">> {
  const { pastRun, journal, probed } = recovery;
  const rollback = await redo(pastRun.taken.filter((action) => action.intent >= from), recovery);
  const exit = exitCode("failed", rollback.verdict, false);
  const { verdict, steps, drift } = rollback;
  journal.write({ kind: "end", status: "passed", exit: exit === 1 ? 0 : exit, rollback: verdict });
  return {
    verdict: verdict === "drift" || verdict === "failed" ? verdict : "restored",
    exit: exit === 1 ? 0 : exit,
    steps,
    drift,
    probed,
  };
}

/**
 * Writes what the actions had left, oldest first, wherever what they had found still stands: compare-and-swap as in a
 * rollback, with the images in each other's place. An action that has no state of its own is not done again, and is named.
 */
export async function redo(actions: readonly PastAction[], recovery: Recovery): Promise<RollbackResult> {
  const { context, journal, session } = recovery;
  const forward = await undoLogOf(actions, "", recovery);
  const undoLog = new UndoLog(0, undefined, "");
  for (const entry of forward.entries) {
    if (entry.outcome === "failed") continue;
    undoLog.entries.unshift(swapped(entry));
  }
  let look: FinalRead | undefined;
  const found = await rollBack(undoLog, { toBarrier: false }, {
    desktop: session.desktop,
    deadline: Deadline.after(context.budgets.rollback, context.hardStop),
    compensate: () => Promise.resolve({ verdict: "already", reason: "there is nothing to do" }),
    closeOpened: () => Promise.resolve(undefined),
    conflict: context.conflict,
    doing: () => {},
    looked: (last) => look = last,
    reported: (step, entry) => {
      const { path, what, verdict } = context.mask.apply(step);
      journal.write({ kind: "redone", path, ...(entry ? { begin: entry.intent } : {}), what, verdict });
      context.emit({ event: "rollback-step", step });
    },
  });
  return await takeLastLook(found, look, context);
}

/** The action with before and after in each other's place. */
function swapped(entry: UndoEntry): UndoEntry {
  const held = entry.beforeImages.filter(({ before, after }) =>
    after !== undefined && !isIncidental(before) && !before.unrestorable
  );
  const stays = entry.effect === "compensable" || entry.effect === "irreversible" || held.length === 0;
  const { undone: _, ...rest } = entry;
  return {
    ...rest,
    // What cannot be done again by writing is named as what differs.
    effect: stays ? "irreversible" : "restorable",
    barrier: stays,
    passable: stays,
    undo: undefined,
    inverse: undefined,
    opened: undefined,
    outcome: "done",
    beforeImages: stays && entry.effect === "compensable"
      ? []
      : held.flatMap(({ after, ...held }) => after ? [{ ...held, before: after, after: held.before }] : []),
  };
}
