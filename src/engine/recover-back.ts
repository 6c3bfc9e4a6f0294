import type { RollbackResult } from "../contract/events.ts";
import { flow } from "./flow.ts";
import type { Ledger } from "./ledger.ts";
import { exitCode, merged } from "./outcome.ts";
import type { Past } from "./past.ts";
import { settleLastLook } from "./last-looks.ts";
import { ledgerOf, type ProbedStep, type Recovered, type Recovery } from "./recovery.ts";
import { stopsAt } from "./rollback.ts";
import { takeBack } from "./take-back.ts";

/** Takes back what stands: open transactions from the innermost to the file, which ends at its last barrier. */
export async function back(recovery: Recovery): Promise<Omit<Recovered, "run" | "workflow">> {
  const { past, context, journal, probed } = recovery;
  const mark = past.afterthought ? undefined : markOf(recovery);
  if (typeof mark === "string") return refusedFor(mark, probed);
  const from = past.afterthought?.kind === "undo" ? past.afterthought.from : mark ? mark.line : past.settled;
  const levels = past.levels.map(({ owner, deeds }) => ({
    owner,
    deeds: deeds.filter(({ intent }) => intent >= from),
  }));
  const ledgers: Ledger[] = [];
  // All are looked at before anything is written: taking one back changes what the next look sees.
  for (const { owner, deeds } of levels) ledgers.push(await ledgerOf(deeds, owner, recovery));
  const barrier = mark && ledgers.find(({ owner }) => owner === "")?.entries.findLast(stopsAt);
  if (barrier) return refusedFor(`step ${barrier.path} (${barrier.name}) after it is irreversible`, probed);
  for (const ledger of ledgers) {
    if (ledger.entries.length === 0) continue;
    await takeBack(ledger, ledger.owner ?? "", { toBarrier: ledger.owner === "", ends: true }, context, flow);
  }
  await settleLastLook(context);
  const rollback = merged([...past.verdicts.map(only), ...context.rollbacks]);
  const stops = ledgers.flatMap(({ entries }) => entries).filter((entry) =>
    stopsAt(entry) && context.doubts.has(entry)
  );
  const doubtful = stops.length > 0;
  const exit = exitCode("failed", rollback.verdict, doubtful);
  const code = exit === 1 ? 0 : exit;
  if (!context.hardStop?.aborted) {
    journal.write({ kind: "end", status: "failed", exit, rollback: rollback.verdict });
  }
  return {
    verdict: doubtful && rollback.verdict !== "drift"
      ? "in doubt"
      : rollback.verdict === "drift" || rollback.verdict === "failed"
      ? isDoubt(rollback) ? "in doubt" : rollback.verdict
      : "restored",
    exit: code,
    steps: rollback.steps,
    drift: rollback.drift,
    probed,
    ...(rollback.barrier ? { barrier: rollback.barrier } : {}),
    ...(mark ? { savepoint: mark.name } : {}),
  };
}

/** The savepoint that is meant, why it cannot be gone back to, or undefined: all of it is taken back. */
export function markOf(
  { options: { savepoint }, past }: Recovery,
): Past["marks"][number] | string | undefined {
  if (savepoint === undefined) return undefined;
  const mark = past.marks.findLast(({ name }) => name === savepoint) ??
    (savepoint === "last" ? past.marks.at(-1) : undefined);
  if (mark && !past.wayBack) return mark;
  if (past.wayBack) return "its way back had begun: recover it without a savepoint";
  const known = [...new Set(past.marks.map(({ name }) => name))].slice(0, 10);
  return `it passed no savepoint ${JSON.stringify(savepoint)}${
    known.length > 0 ? `; there is: ${known.join(", ")}` : ""
  }`;
}

export function refusedFor(why: string, probed: readonly ProbedStep[]): Omit<Recovered, "run" | "workflow"> {
  const reason = `it cannot be taken back to a savepoint: ${why}`;
  return { verdict: "refused", exit: 4, steps: [], drift: [], probed, reason };
}

/** Nothing but deeds of unknown outcome stand in the way of `restored`. */
function isDoubt({ steps, verdict }: RollbackResult): boolean {
  const bad = steps.filter((step) => step.verdict === "failed" || step.verdict === "unknown");
  return verdict === "failed" && bad.length > 0 &&
    bad.every((step) => step.verdict === "unknown" && step.what.startsWith("deed "));
}

function only(verdict: RollbackResult["verdict"]): RollbackResult {
  return { verdict, steps: [], drift: [], enrolled: [] };
}
