import { BackstepError } from "../base/error.ts";
import type { RollbackResult } from "../contract/events.ts";
import { pictureFor } from "./changing.ts";
import { Ledger } from "./ledger.ts";
import type { Standing } from "./perform.ts";
import { isClean, stopsAt } from "./rollback.ts";
import type { Picture } from "./picture.ts";
import type { RunContext } from "./run-context.ts";
import type { RollbackToStep, SavepointStep } from "./step.ts";

/** `savepoint: name`. */
export async function setSavepoint(step: SavepointStep, at: Standing, run: RunContext): Promise<void> {
  // Only where the desktop may be replaced is it compared, element by element, with how it was here.
  const picture = run.way === "rebuild" ? await pictureFor(run, at.app, run.budgets.settle) : undefined;
  at.ledger.mark(keyOf(step.savepoint, at), { history: run.history.length, picture });
  if (!run.memory?.passedSavepoint(at.path)) {
    run.journal.write({ kind: "savepoint", path: at.path, name: run.mask.text(step.savepoint) });
  }
  run.emit({ event: "savepoint", path: at.path, name: step.savepoint });
}

/**
 * `rollback_to: name`: takes back what was done since, in this transaction and those around it. Throws `barrier`, before
 * anything is touched, when an irreversible step stands in between, and `drift` when something is not as it was.
 */
export async function rollBackTo(
  step: RollbackToStep,
  at: Standing,
  takeBack: (since: Ledger, picture: Picture | undefined) => Promise<RollbackResult>,
): Promise<void> {
  const { levels, history, picture } = levelsTo(step, at);
  const since = new Ledger(history);
  for (const { ledger, from } of levels) since.entries.push(...ledger.entries.slice(from));
  // Those of the top level, wherever the flow stands now: what a transaction declares may stay is named by its way back.
  const barrier = levels.flatMap(({ ledger, from }) => ledger.parent ? [] : ledger.entries.slice(from))
    .findLast(stopsAt);
  if (barrier) {
    throw new BackstepError(
      "barrier",
      `Cannot roll back to savepoint "${step.savepoint}": step ${barrier.path} (${barrier.name}) is irreversible`,
      { place: step.place, hint: "Set a savepoint after it.", details: { path: barrier.path } },
    );
  }
  const back = await takeBack(since, picture);
  // What was tried once is not tried again by a later way back: what is left of it is named in this one.
  for (const { ledger, from } of levels) ledger.cut(from);
  if (isClean(back.verdict)) return;
  throw new BackstepError(
    "drift",
    `Cannot roll back to savepoint "${step.savepoint}": the way back ended in ${back.verdict}`,
    {
      place: step.place,
      details: { verdict: back.verdict, drift: back.drift.slice(0, 10).map((d) => ({ ...d })) },
    },
  );
}

/** The ledgers from that of the savepoint to the innermost one, outermost first, each with where to cut it. */
function levelsTo(
  step: RollbackToStep,
  at: Standing,
): {
  readonly levels: readonly { ledger: Ledger; from: number }[];
  readonly history: number;
  readonly picture: Picture | undefined;
} {
  const key = keyOf(step.savepoint, at);
  const levels: { ledger: Ledger; from: number }[] = [];
  for (let ledger: Ledger | undefined = at.ledger; ledger; ledger = ledger.parent) {
    const mark = ledger.markOf(key);
    levels.unshift({ ledger, from: mark?.at ?? 0 });
    if (mark) return { levels, history: mark.history, picture: mark.picture };
  }
  throw new BackstepError(
    "workflow",
    `Cannot roll back to savepoint "${step.savepoint}": the flow has not passed it, or it was taken back with its transaction`,
    { place: step.place },
  );
}

/** Each file has savepoints of its own. */
function keyOf(savepoint: string, { file }: Standing): string {
  return `${file ?? ""} ${savepoint}`;
}
