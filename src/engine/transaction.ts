import { pictureFor } from "./changing.ts";
import { endsRun } from "./interference.ts";
import { Ledger } from "./ledger.ts";
import { settleLastLook } from "./last-looks.ts";
import type { Flow } from "./loops.ts";
import type { Standing } from "./perform.ts";
import { isClean } from "./rollback.ts";
import { type RunContext, stoppedAt } from "./run-context.ts";
import type { TransactionStep } from "./step.ts";
import { takeBack } from "./take-back.ts";

/** Steps that stand or fall together: on failure they are taken back, and tried again where the file says so. */
export async function transaction(
  step: Omit<TransactionStep, "steps">,
  at: Standing,
  run: RunContext,
  inside: (inner: Omit<Standing, "path">) => Promise<void>,
  flow: Flow,
): Promise<void> {
  const name = step.name ?? step.id ?? "transaction";
  const { owner } = at.ledger;
  const begun = run.memory?.begun(at.path);
  const softBefore = run.soft.length;
  for (let tries = begun?.attempt ?? 1;; tries++) {
    const inner = new Ledger(run.history.length, at.ledger, owner === undefined ? undefined : at.path);
    const known = begun?.attempt === tries;
    if (!known) {
      // A program may put a secret into it, and this line is not sealed.
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
    const picture = known ? undefined : await pictureFor(run, at.app, run.budgets.settle);
    try {
      await inside({ ...at, ledger: inner, inTransaction: true });
      at.ledger.absorb(inner);
      if (!(known && begun.committed)) run.journal.write({ kind: "commit", path: at.path });
      run.emit({ event: "transaction-finished", path: at.path, name, committed: true });
      return;
    } catch (thrown) {
      const stopped = stoppedAt(at.path, thrown);
      run.emit({ event: "transaction-finished", path: at.path, name, committed: false });
      if (stopped.policy === "stop") {
        at.ledger.absorb(inner);
        run.journal.write({ kind: "commit", path: at.path, stopped: true });
        throw stopped;
      }
      const over = tries > (step.retry ?? 0) || run.deadline.passed || endsRun(stopped.error);
      // What answers whether it was rolled back waits for the last look.
      const ends = over && step.composed === undefined;
      // An inner one's that is due: what it left is not in this one's ledger, so that this one does not take it back.
      const left = await settleLastLook(run);
      if (left && !isClean(left.verdict)) stopped.remains = true;
      const back = await takeBack(
        inner,
        at.path,
        { toBarrier: false, reason: stopped.error, picture, ends },
        run,
        flow,
      );
      await stopped.finish();
      if (!isClean(back.verdict)) stopped.remains = true; // what an inner transaction left does not go away by this one's way back
      if (stopped.remains || over) throw stopped;
      // What a try that is taken back found wrong goes with it.
      run.soft.length = softBefore;
      run.emit({ event: "step-retried", path: at.path, attempt: tries, error: stopped.error.toJSON() });
    }
  }
}
