import { BackstepError, type Json } from "../../base/error.ts";
import type { RollbackResult, StepVerdict } from "../../contract/events.ts";
import { isIrreversible, type UndoEntry, UndoLog } from "../rollback/undo-log.ts";
import type { Standing } from "./standing.ts";
import type { UndoStep } from "../model/step.ts";

const DONE: ReadonlySet<StepVerdict> = new Set<StepVerdict>([
  "restored",
  "already",
  "rebuilt",
  "compensated",
  "gone",
]);

/**
 * Undoes the last actions of the flow, wherever they stand in its transactions, last first, and answers as the tool
 * `ax_undo` does: `{ undone, skipped, actions }`. What cannot be undone is passed, and named. Throws `drift` where
 * something else is not as it was, with the same answer in its details.
 */
export async function undoLast(
  step: UndoStep,
  at: Standing,
  rollBackSteps: (since: UndoLog) => Promise<RollbackResult>,
): Promise<Json> {
  const levels = lastOf(step.count, at.undoLog);
  const entries = levels.flatMap(({ undoLog, from }) => undoLog.entries.slice(from));
  const since = new UndoLog(entries[0]?.history ?? 0);
  since.entries.push(...entries);
  if (entries.length === 0) return { undone: 0, skipped: 0, actions: [] };
  const back = await rollBackSteps(since);
  // What was tried once is not tried again by a later rollback.
  for (const { undoLog, from } of levels) undoLog.cut(from);
  const reported = entries.toReversed().filter(happened);
  const verdicts = new Map(reported.map((entry) => [entry, verdictOf(entry, back)] as const));
  const left = reported.filter((entry) => isLeft(verdicts.get(entry))).map(({ name }) => name);
  // What stays is named already; what else was restored and does not read so any more is not undone.
  const stays = new Set(
    reported.filter((entry) => verdicts.get(entry) === "unrestorable").map(({ name }) => name),
  );
  const differs = back.drift.filter((one) => one.property !== "effect" || !stays.has(one.participant))
    .map(({ participant }) => participant);
  const done = reported.filter((entry) => verdicts.get(entry) === undefined).length;
  const answer = {
    undone: done,
    skipped: reported.length - done,
    actions: reported.map((entry) => actionOf(entry, verdicts.get(entry))),
  };
  const others = differs.filter((name) => !reported.some((entry) => entry.name === name));
  if (left.length === 0 && others.length === 0) return answer;
  throw new BackstepError(
    "drift",
    `Cannot undo the last ${step.count}: the rollback ended in ${back.verdict}`,
    {
      place: step.place,
      details: {
        verdict: back.verdict,
        left: [...new Set(left.length > 0 ? left : others)].slice(0, 10),
        drift: back.drift.slice(0, 10).map((d) => ({ ...d })),
        answer,
      },
    },
  );
}

/** Why an action is not undone: it cannot be, or what became of the attempt; undefined: it is undone. */
function verdictOf(entry: UndoEntry, { steps, drift }: RollbackResult): StepVerdict | "drift" | undefined {
  if (isIrreversible(entry)) return "unrestorable";
  const own = steps.filter((one) => one.path === entry.path && !one.incidental && !DONE.has(one.verdict));
  const worse = own.find(({ verdict }) => verdict !== "unrestorable") ?? own[0];
  if (worse) return worse.verdict;
  const labels = new Set(entry.beforeImages.map(({ participant }) => participant.label));
  return drift.some(({ participant }) => labels.has(participant)) ? "drift" : undefined;
}

/** Should have been undone, and is not. */
function isLeft(verdict: StepVerdict | "drift" | undefined): boolean {
  return verdict !== undefined && verdict !== "unrestorable";
}

function actionOf(entry: UndoEntry, verdict: StepVerdict | "drift" | undefined): Json {
  const tool = entry.tool ?? entry.operation;
  if (verdict === undefined) return { tool, status: "undone" };
  if (isIrreversible(entry)) return { tool, status: "skipped_irreversible" };
  return verdict === "unrestorable" ? { tool, status: "skipped_irreversible", verdict } : { tool, verdict };
}

/** The undo logs in which the last actions stand, outermost first, each with where to cut it. */
function lastOf(count: number, innermost: UndoLog): { readonly undoLog: UndoLog; readonly from: number }[] {
  const levels: { undoLog: UndoLog; from: number }[] = [];
  let left = count;
  for (let undoLog: UndoLog | undefined = innermost; undoLog && left > 0; undoLog = undoLog.parent) {
    let from = undoLog.entries.length;
    for (; from > 0 && left > 0; from--) {
      const entry = undoLog.entries[from - 1];
      if (entry && happened(entry)) left--;
    }
    levels.unshift({ undoLog, from });
  }
  return levels;
}

function happened({ outcome }: UndoEntry): boolean {
  return outcome !== "failed";
}
