import { BackstepError } from "../../base/error.ts";
import type { RollbackResult } from "../../contract/events.ts";
import { UndoLog } from "../rollback/undo-log.ts";
import { isClean, stopsAt } from "../rollback/rollback.ts";
import type { RollbackToStep, SavepointStep } from "../model/step.ts";
import type { TreeSnapshot } from "../model/tree-snapshot.ts";
import type { Standing } from "./standing.ts";
import type { RunContext } from "./run-context.ts";
import { treeSnapshotFor } from "../model/unstable.ts";

/** `savepoint: name`. */
export async function setSavepoint(step: SavepointStep, at: Standing, run: RunContext): Promise<void> {
  // Only where the desktop may be replaced is it compared, element by element, with how it was here.
  const tree = run.way === "rebuild" ? await treeSnapshotFor(run, at.app, run.budgets.settle) : undefined;
  at.undoLog.mark(keyOf(step.savepoint, at), { history: run.history.length, tree });
  if (!run.memory?.passedSavepoint(at.path)) {
    run.journal.write({ kind: "savepoint", path: at.path, name: run.mask.text(step.savepoint) });
  }
  run.emit({ event: "savepoint", path: at.path, name: step.savepoint });
}

/**
 * `rollback_to: name`: undoes what was done since, in this transaction and those around it. Throws `barrier`, before
 * anything is touched, when an irreversible step stands in between, and `drift` when something is not as it was.
 */
export async function rollBackTo(
  step: RollbackToStep,
  at: Standing,
  rollBackSteps: (since: UndoLog, tree: TreeSnapshot | undefined) => Promise<RollbackResult>,
): Promise<void> {
  const { levels, history, tree } = levelsTo(step, at);
  const since = new UndoLog(history);
  for (const { undoLog, from } of levels) since.entries.push(...undoLog.entries.slice(from));
  // Those of the top level, wherever the flow stands now: what a transaction declares may stay is named by its undo.
  const barrier = levels.flatMap(({ undoLog, from }) => undoLog.parent ? [] : undoLog.entries.slice(from))
    .findLast(stopsAt);
  if (barrier) {
    throw new BackstepError(
      "barrier",
      `Cannot roll back to savepoint "${step.savepoint}": step ${barrier.path} (${barrier.name}) is irreversible`,
      { place: step.place, hint: "Set a savepoint after it.", details: { path: barrier.path } },
    );
  }
  const back = await rollBackSteps(since, tree);
  // What was tried once is not tried again by a later rollback: what is left of it is named in this one.
  for (const { undoLog, from } of levels) undoLog.cut(from);
  if (isClean(back.verdict)) return;
  throw new BackstepError(
    "drift",
    `Cannot roll back to savepoint "${step.savepoint}": the rollback ended in ${back.verdict}`,
    {
      place: step.place,
      details: { verdict: back.verdict, drift: back.drift.slice(0, 10).map((d) => ({ ...d })) },
    },
  );
}

/** The undo logs from that of the savepoint to the innermost one, outermost first, each with where to cut it. */
function levelsTo(
  step: RollbackToStep,
  at: Standing,
): {
  readonly levels: readonly { undoLog: UndoLog; from: number }[];
  readonly history: number;
  readonly tree: TreeSnapshot | undefined;
} {
  const key = keyOf(step.savepoint, at);
  const levels: { undoLog: UndoLog; from: number }[] = [];
  for (let undoLog: UndoLog | undefined = at.undoLog; undoLog; undoLog = undoLog.parent) {
    const mark = undoLog.markOf(key);
    levels.unshift({ undoLog, from: mark?.at ?? 0 });
    if (mark) return { levels, history: mark.history, tree: mark.tree };
  }
  throw new BackstepError(
    "workflow",
    `Cannot roll back to savepoint "${step.savepoint}": the flow has not passed it, or it was rolled back with its transaction`,
    { place: step.place },
  );
}

/** Each file has savepoints of its own. */
function keyOf(savepoint: string, { file }: Standing): string {
  return `${file ?? ""} ${savepoint}`;
}
