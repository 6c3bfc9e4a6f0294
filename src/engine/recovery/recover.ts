import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { Session } from "../../session/session.ts";
import { Journal, runFolder } from "../journal/journal.ts";
import { lockRun } from "../journal/lock.ts";
import { type PastAction, PastRun } from "../journal/past-run.ts";
import { isGone, reattachIn, removeRemains } from "./reattach.ts";
import { back, markOf, refusedFor } from "./roll-back-run.ts";
import { begin, type Recovered, type RecoverOptions, type Recovery, undoLogOf } from "./recovery.ts";
import { redoAgain } from "./redo.ts";
import { resume } from "./resume.ts";
import { Encryption } from "../journal/encryption.ts";

/**
 * Takes over a run whose process was killed: locks it, finds its desktop again, lets go of held keys, looks whether the
 * step that was cut off happened, and undoes what stands, or goes on. Cut off itself, it can be done again: nothing is
 * rolled back twice. Throws `refused` while a living process has the run, `io` when its journal or key cannot be read.
 */
export async function recoverRun(options: RecoverOptions): Promise<Recovered> {
  const { run, state } = options;
  const folder = runFolder(state, run);
  const encryption = Encryption.open(state, run);
  const unlock = lockRun(state, run);
  try {
    const pastRun = new PastRun(folder, encryption);
    const existing = { run, workflow: pastRun.head.workflow };
    if (pastRun.finished && !pastRun.lateChange) {
      throw new BackstepError("invalid", `Cannot recover run ${run}: it has ended`, {
        hint: `Undo it with: backstep undo ${run}`,
      });
    }
    const journal = options.dryRun ? Journal.unwritten(state, run) : Journal.reopen(state, run, options.sink);
    try {
      return await onItsDesktop(options, pastRun, encryption, journal, existing);
    } finally {
      journal.close();
    }
  } finally {
    unlock();
  }
}

async function onItsDesktop(
  options: RecoverOptions,
  pastRun: PastRun,
  encryption: Encryption,
  journal: Journal,
  existing: Pick<Recovered, "run" | "workflow">,
): Promise<Recovered> {
  const nothing = { steps: [], drift: [], probed: [] };
  const reattach = options.reattach ?? reattachIn(options.state);
  const call = options.signal ? { signal: options.signal } : {};
  let session: Session;
  try {
    session = await reattach(pastRun, { adopt: options.dryRun !== true }, call);
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
    const open = pastRun.actions.filter(({ intent }) => intent >= pastRun.settled);
    const exit = open.some(isDoubtful) ? 4 : 1;
    const lost = open.length > 0 || !isPlainRollback(options, pastRun);
    journal.write({ kind: "end", status: "failed", exit, rollback: lost ? "gone" : "none" });
    if (!options.dryRun) await removeRemains(pastRun, options.state);
    const reason = toBackstepError(thrown).message;
    if (lost) return { ...existing, ...nothing, verdict: "gone", exit, reason };
    const verdict = options.dryRun ? "open" : "restored";
    return { ...existing, ...nothing, verdict, exit: 0, reason: `nothing was left to undo. ${reason}` };
  }
  let leave = true;
  try {
    const recovery = await begin(options, pastRun, session, journal, encryption);
    if (options.dryRun) return { ...existing, ...await look(recovery) };
    const found = pastRun.lateChange?.kind === "redo"
      ? await redoAgain(recovery, pastRun.lateChange.from)
      : options.way === "resume"
      ? await resume(recovery)
      : await back(recovery);
    leave = found.verdict === "refused" || options.hardStop?.aborted === true;
    return { ...existing, ...found };
  } finally {
    await session.close({ leave });
  }
}

/** Is all to be rolled back, and was nothing rolled back before? What that came to is not told without a look. */
function isPlainRollback({ way, savepoint }: RecoverOptions, { verdicts, lateChange }: PastRun): boolean {
  return way !== "resume" && savepoint === undefined && verdicts.length === 0 && lateChange === undefined;
}

/** A barrier of which nobody knows whether it was done. */
function isDoubtful({ effect, outcome }: PastAction): boolean {
  return effect === "irreversible" && (outcome === "none" || outcome === "unknown");
}

/** What would be undone, and what became of the step that was cut off: only looks. */
async function look(recovery: Recovery): Promise<Omit<Recovered, "run" | "workflow">> {
  const steps: { path: string; what: string }[] = [];
  const mark = markOf(recovery);
  if (typeof mark === "string") return refusedFor(mark, recovery.probed);
  for (const { owner, actions } of recovery.pastRun.levels) {
    const since = actions.filter(({ intent }) => intent >= (mark?.line ?? recovery.pastRun.settled));
    const undoLog = await undoLogOf(since, owner, recovery);
    for (const { path, name } of undoLog.entries.toReversed()) steps.push({ path, what: name });
  }
  return { verdict: "open", exit: 0, steps, drift: [], probed: recovery.probed };
}
