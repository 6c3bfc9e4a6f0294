import type { RollbackResult } from "../contract/events.ts";
import type { LastLook } from "./last-look.ts";
import { takeLastLook } from "./last-looks.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import type { PastDeed } from "./past.ts";
import { isIncidental } from "./put-back.ts";
import { ledgerOf, type Recovered, type Recovery } from "./recovery.ts";
import { Deadline } from "../base/call.ts";
import { rollBack } from "./rollback.ts";
import { exitCode } from "./outcome.ts";

/** What `undo` took back, put in place again; a redo that was cut off is done again, which changes nothing twice. */
export async function redoAgain(
  recovery: Recovery,
  from: number,
): Promise<Omit<Recovered, "run" | "workflow">> {
  const { past, journal, probed } = recovery;
  const rollback = await redo(past.taken.filter((deed) => deed.intent >= from), recovery);
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
 * Writes what the deeds had left, oldest first, wherever what they had found still stands: compare-and-swap as on the way
 * back, with the images in each other's place. A deed that has no state of its own is not done again, and is named.
 */
export async function redo(deeds: readonly PastDeed[], recovery: Recovery): Promise<RollbackResult> {
  const { context, journal, session } = recovery;
  const forward = await ledgerOf(deeds, "", recovery);
  const ledger = new Ledger(0, undefined, "");
  for (const entry of forward.entries) {
    if (entry.outcome === "failed") continue;
    ledger.entries.unshift(swapped(entry));
  }
  let look: LastLook | undefined;
  const found = await rollBack(ledger, { toBarrier: false }, {
    desktop: session.desktop,
    deadline: Deadline.after(context.budgets.rollback, context.hardStop),
    compensate: () => Promise.resolve({ verdict: "already", reason: "there is nothing to do" }),
    closeOpened: () => Promise.resolve(undefined),
    conflict: context.conflict,
    doing: () => {},
    looked: (last) => look = last,
    told: (step, entry) => {
      const { path, what, verdict } = context.mask.apply(step);
      journal.write({ kind: "redone", path, ...(entry ? { intent: entry.intent } : {}), what, verdict });
      context.emit({ event: "rollback-step", step });
    },
  });
  return await takeLastLook(found, look, context);
}

/** The deed with before and after in each other's place. */
function swapped(entry: LedgerEntry): LedgerEntry {
  const held = entry.enrolments.filter(({ before, after }) =>
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
    enrolments: stays && entry.effect === "compensable"
      ? []
      : held.flatMap(({ participant, before, after }) =>
        after ? [{ participant, before: after, after: before }] : []
      ),
  };
}
