import { BackstepError, type Json } from "../base/error.ts";
import type { RollbackResult, RollbackStep, StepVerdict } from "../contract/events.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import type { Standing } from "./perform.ts";
import { isBarrier } from "./rollback.ts";
import type { UndoStep } from "./step.ts";

const DONE: ReadonlySet<StepVerdict> = new Set<StepVerdict>([
  "restored",
  "already",
  "rebuilt",
  "compensated",
]);

/**
 * Takes back the last deeds of the flow, wherever they stand in its transactions, last first, and answers as the tool
 * `ax_undo` does: `{ undone, skipped, actions }`. Irreversible deeds are passed, and named. Throws `drift` where
 * something else is not as it was.
 */
export async function undoLast(
  step: UndoStep,
  at: Standing,
  takeBack: (since: Ledger) => Promise<RollbackResult>,
): Promise<Json> {
  const levels = lastOf(step.count, at.ledger);
  const entries = levels.flatMap(({ ledger, from }) => ledger.entries.slice(from));
  const since = new Ledger(entries[0]?.history ?? 0);
  since.entries.push(...entries);
  if (entries.length === 0) return { undone: 0, skipped: 0, actions: [] };
  const back = await takeBack(since);
  // What was tried once is not tried again by a later way back.
  for (const { ledger, from } of levels) ledger.cut(from);
  const told = entries.toReversed().filter(happened);
  const stays = new Set(told.filter(isBarrier).map(({ name }) => name));
  const left = told.filter((entry) => !isBarrier(entry) && !isUndone(entry, back.steps))
    .map(({ name }) => name);
  // What was put back and does not read so any more is not undone.
  const differs = back.drift.filter((one) => one.property !== "effect" || !stays.has(one.participant))
    .map(({ participant }) => participant);
  if (left.length > 0 || differs.length > 0) {
    throw new BackstepError(
      "drift",
      `Cannot undo the last ${step.count}: the way back ended in ${back.verdict}`,
      {
        place: step.place,
        details: {
          verdict: back.verdict,
          left: [...new Set(left.length > 0 ? left : differs)].slice(0, 10),
          drift: back.drift.slice(0, 10).map((d) => ({ ...d })),
        },
      },
    );
  }
  const skipped = told.filter(isBarrier).length;
  return {
    undone: told.length - skipped,
    skipped,
    actions: told.map((entry) => ({
      tool: entry.tool ?? entry.operation,
      status: isBarrier(entry) ? "skipped_irreversible" : "undone",
    })),
  };
}

/** The ledgers in which the last deeds stand, outermost first, each with where to cut it. */
function lastOf(count: number, innermost: Ledger): { readonly ledger: Ledger; readonly from: number }[] {
  const levels: { ledger: Ledger; from: number }[] = [];
  let left = count;
  for (let ledger: Ledger | undefined = innermost; ledger && left > 0; ledger = ledger.parent) {
    let from = ledger.entries.length;
    for (; from > 0 && left > 0; from--) {
      const entry = ledger.entries[from - 1];
      if (entry && happened(entry)) left--;
    }
    levels.unshift({ ledger, from });
  }
  return levels;
}

function happened({ outcome }: LedgerEntry): boolean {
  return outcome !== "failed";
}

function isUndone({ path }: LedgerEntry, steps: readonly RollbackStep[]): boolean {
  return steps.filter((one) => one.path === path && !one.incidental).every(({ verdict }) =>
    DONE.has(verdict)
  );
}
