import { Deadline } from "../../base/call.ts";
import { isActionWhat } from "../../contract/rollback-what.ts";
import type { RollbackResult } from "../../contract/events.ts";
import { noteGoneLate } from "../rollback/gone.ts";
import { UndoLog } from "../rollback/undo-log.ts";
import { exitCode, merged } from "../rollback/outcomes.ts";
import type { PastRun } from "../journal/past-run.ts";
import { finishFinalRead } from "../rollback/final-reads.ts";
import { type ProbedStep, type Recovered, type Recovery, undoLogOf } from "./recovery.ts";
import { stopsAt } from "../rollback/rollback.ts";
import { rollBackSteps } from "../run/roll-back-steps.ts";

/** Undoes what stands: open transactions from the innermost to the file, which ends at its last barrier. */
export async function back(recovery: Recovery): Promise<Omit<Recovered, "run" | "workflow">> {
  const { pastRun, context, journal, probed } = recovery;
  const mark = pastRun.lateChange ? undefined : markOf(recovery);
  if (typeof mark === "string") return refusedFor(mark, probed);
  const from = pastRun.lateChange?.kind === "undo"
    ? pastRun.lateChange.from
    : mark
    ? mark.line
    : pastRun.settled;
  const levels = pastRun.levels.map(({ owner, actions }) => ({
    owner,
    actions: actions.filter(({ intent }) => intent >= from),
  }));
  const undoLogs: UndoLog[] = [];
  // All are looked at before anything is written: taking one back changes what the next look sees.
  for (const { owner, actions } of levels) undoLogs.push(await undoLogOf(actions, owner, recovery));
  const barrier = mark && undoLogs.find(({ owner }) => owner === "")?.entries.findLast(stopsAt);
  if (barrier) return refusedFor(`step ${barrier.path} (${barrier.name}) after it is irreversible`, probed);
  await noteGoneAtTheKill(undoLogs, recovery);
  for (const undoLog of undoLogs) {
    if (undoLog.entries.length === 0) continue;
    await rollBackSteps(
      undoLog,
      undoLog.owner ?? "",
      { toBarrier: undoLog.owner === "", ends: true, goneNoted: true },
      context,
    );
  }
  await finishFinalRead(context);
  const rollback = merged([...pastRun.verdicts.map(only), ...context.rollbacks]);
  const stops = undoLogs.flatMap(({ entries }) => entries).filter((entry) =>
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

/**
 * What the last step that was done closed after its answer, when nobody was there to note it any more. Not where a rollback had
 * begun, which closes what it opened, nor after the end of a run: it was noted there, and anybody may have closed it since.
 */
async function noteGoneAtTheKill(
  undoLogs: readonly UndoLog[],
  { pastRun, context }: Recovery,
): Promise<void> {
  const begun = pastRun.actions.some(({ undone, undoing }) => undone.size + undoing.size > 0);
  if (pastRun.lateChange || begun) return;
  const all = new UndoLog();
  all.entries.push(...undoLogs.flatMap(({ entries }) => entries).sort((a, b) => a.intent - b.intent));
  await noteGoneLate(all, context, Deadline.after(context.budgets.check, context.hardStop), { wait: true });
}

/** The savepoint that is meant, why it cannot be gone back to, or undefined: all of it is rolled back. */
export function markOf(
  { options: { savepoint }, pastRun }: Recovery,
): PastRun["marks"][number] | string | undefined {
  if (savepoint === undefined) return undefined;
  const mark = pastRun.marks.findLast(({ name }) => name === savepoint) ??
    (savepoint === "last" ? pastRun.marks.at(-1) : undefined);
  if (mark && !pastRun.rollback) return mark;
  if (pastRun.rollback) return "its rollback had begun: recover it without a savepoint";
  const existing = [...new Set(pastRun.marks.map(({ name }) => name))].slice(0, 10);
  return `it passed no savepoint ${JSON.stringify(savepoint)}${
    existing.length > 0 ? `; there is: ${existing.join(", ")}` : ""
  }`;
}

export function refusedFor(why: string, probed: readonly ProbedStep[]): Omit<Recovered, "run" | "workflow"> {
  const reason = `it cannot be rolled back to a savepoint: ${why}`;
  return { verdict: "refused", exit: 4, steps: [], drift: [], probed, reason };
}

/** Nothing but actions of unknown outcome stand in the way of `restored`. */
function isDoubt({ steps, verdict }: RollbackResult): boolean {
  const bad = steps.filter((step) => step.verdict === "failed" || step.verdict === "unknown");
  return verdict === "failed" && bad.length > 0 &&
    bad.every((step) => step.verdict === "unknown" && isActionWhat(step.what));
}

function only(verdict: RollbackResult["verdict"]): RollbackResult {
  return { verdict, steps: [], drift: [], enrolled: [] };
}
