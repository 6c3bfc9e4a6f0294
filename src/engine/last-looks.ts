import { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { ChangedAfterwards, RollbackResult } from "../contract/events.ts";
import { bounded } from "./bounded.ts";
import type { LastLook } from "./last-look.ts";
import { AFTER_WRITE } from "./last-write.ts";
import { lookedAgain } from "./rollback.ts";
import type { RunContext } from "./run-context.ts";
import { writeDown } from "./write-down.ts";

/** Milliseconds for the look itself, beside what it waits. */
const LOOK = 5_000;

/** A rollback whose last look is still to come, and as what it is known to the run by now. */
export interface DueLook {
  readonly path: string;
  readonly look: LastLook;
  /** In the run's `rollbacks`. */
  readonly back: RollbackResult;
}

/** Keeps the last look of a rollback until its time has come: other work of the run goes on meanwhile. */
export class LastLooks {
  #due: DueLook | undefined;
  readonly changed: ChangedAfterwards[] = [];

  put(due: DueLook): void {
    this.#due = due;
  }

  take(): DueLook | undefined {
    const due = this.#due;
    this.#due = undefined;
    return due;
  }
}

/** Waits for the last look's time, takes it, and answers the rollback with what it found. */
export async function takeLastLook(
  back: RollbackResult,
  look: LastLook | undefined,
  run: Pick<RunContext, "hardStop">,
): Promise<RollbackResult> {
  if (!look) return back;
  return lookedAgain(back, await look.again(Deadline.after(AFTER_WRITE + LOOK, run.hardStop)));
}

/**
 * Takes the last look that is due, before anything else is written and at the end of the run: what it finds otherwise is
 * told, and makes the rollback's verdict what it is now. Answers that rollback; undefined: all is as it was.
 */
export async function settleLastLook(run: RunContext): Promise<RollbackResult | undefined> {
  const due = run.lastLooks.take();
  if (!due || run.hardStop?.aborted) return undefined;
  const { path, look, back } = due;
  const now = bounded(run.mask.apply<RollbackResult>(await takeLastLook(back, look, run)));
  if (now.drift.length === back.drift.length) return undefined;
  const at = run.rollbacks.indexOf(back);
  if (at >= 0) run.rollbacks[at] = now;
  const changed = remember(path, now, run);
  const { verdict } = now;
  const sealed = run.seal.seal(run.mask.json(changed.map((one) => ({ ...one }))));
  writeDown({ kind: "changed-afterwards", path, verdict, sealed }, run);
  run.emit({ event: "changed-afterwards", path, verdict, changed });
  return now;
}

/** Keeps for the run's result what of a rollback's drift came afterwards. */
export function remember(path: string, { drift }: RollbackResult, run: RunContext): ChangedAfterwards[] {
  const changed = drift.filter(({ afterwards }) => afterwards).map((one) => ({ path, ...one }));
  run.lastLooks.changed.push(...changed);
  return changed;
}

/** Throws `drift` where what was rolled back is not so any more: no step goes on from a state that is not the one it knows. */
export async function stillRolledBack(run: RunContext): Promise<void> {
  const now = await settleLastLook(run);
  if (!now || run.ending) return;
  throw new BackstepError(
    "drift",
    "Cannot go on: what was rolled back changed afterwards",
    {
      hint: "The application changes it by itself a moment after it was put back.",
      details: { verdict: now.verdict, drift: now.drift.slice(0, 10).map((one) => ({ ...one })) },
    },
  );
}
