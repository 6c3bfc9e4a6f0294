import { UndoLog } from "../rollback/undo-log.ts";
import { finishFinalRead } from "../rollback/final-reads.ts";
import { isClean } from "../rollback/rollback.ts";
import { stoppedAt } from "../model/flow-stopped.ts";
import type { TransactionStep } from "../model/step.ts";
import { endsRun } from "./interference.ts";
import type { Standing } from "./standing.ts";
import type { RunContext } from "./run-context.ts";
import { rollBackSteps } from "./roll-back-steps.ts";
import { treeSnapshotFor } from "../model/unstable.ts";

/** Steps that stand or fall together: on failure they are rolled back, and tried again where the file says so. */
export async function transaction(
  step: Omit<TransactionStep, "steps">,
  at: Standing,
  run: RunContext,
  inside: (inner: Omit<Standing, "path">) => Promise<void>,
): Promise<void> {
  const name = step.name ?? step.id ?? "transaction";
  const { owner } = at.undoLog;
  const begun = run.memory?.begun(at.path);
  const softBefore = run.soft.length;
  for (let tries = begun?.attempt ?? 1;; tries++) {
    const inner = new UndoLog(run.history.length, at.undoLog, owner === undefined ? undefined : at.path);
    const existing = begun?.attempt === tries;
    if (!existing) {
      // A program may put a secret into it, and this line is not encrypted.
      run.journal.write({
        kind: "begin",
        path: at.path,
        name: run.mask.text(name),
        attempt: tries,
        in: owner ?? null,
      });
    }
    run.emit({ event: "transaction-started", path: at.path, name });
    // How it looked when a transaction began that another process was cut off in, nobody knows any more.
    const tree = existing ? undefined : await treeSnapshotFor(run, at.app, run.budgets.settle);
    try {
      await inside({ ...at, undoLog: inner, inTransaction: true });
      at.undoLog.absorb(inner);
      // Asked anew: a run may have gone back into what had committed.
      const committed = existing && run.memory?.begun(at.path)?.committed === true;
      if (!committed) run.journal.write({ kind: "commit", path: at.path });
      run.emit({ event: "transaction-finished", path: at.path, name, committed: true });
      run.guide?.committed(at.path, tries);
      return;
    } catch (thrown) {
      const stopped = stoppedAt(at.path, thrown);
      run.emit({ event: "transaction-finished", path: at.path, name, committed: false });
      const over = tries > (step.retry ?? 0) || run.deadline.passed || endsRun(stopped.error);
      // Where a person looks at what failed it stays, unless the flow goes on without it or answers what became of it.
      const stays = over && run.guide?.keepsFailures === true && step.optional !== true &&
        step.composed === undefined;
      if (stopped.policy === "stop" || stays) {
        at.undoLog.absorb(inner);
        run.journal.write({ kind: "commit", path: at.path, stopped: true });
        throw stopped;
      }
      // What answers whether it was rolled back waits for the last look.
      const ends = over && step.composed === undefined;
      // An inner one's that is due: what it left is not in this one's undo log, so that this one does not undo it.
      const left = await finishFinalRead(run);
      if (left && !isClean(left.verdict)) stopped.remains = true;
      const back = await rollBackSteps(
        inner,
        at.path,
        { toBarrier: false, reason: stopped.error, tree, ends },
        run,
      );
      await stopped.finish();
      if (!isClean(back.verdict)) stopped.remains = true; // what an inner transaction left does not go away by this one's rollback
      if (stopped.remains || over) throw stopped;
      // What a try that is rolled back found wrong goes with it.
      run.soft.length = softBefore;
      run.guide?.triedAgain(at.path);
      run.emit({ event: "step-retried", path: at.path, attempt: tries, error: stopped.error.toJSON() });
    }
  }
}
