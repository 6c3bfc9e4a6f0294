import { BackstepError, toBackstepError } from "../base/error.ts";
import type { Session } from "../session/session.ts";
import { Journal, runFolder } from "./journal.ts";
import { lockRun } from "./lock.ts";
import { Past, type PastDeed } from "./past.ts";
import { isGone, reattachIn, removeRemains } from "./reattach.ts";
import { back, markOf, refusedFor } from "./recover-back.ts";
import { begin, ledgerOf, type Recovered, type RecoverOptions, type Recovery } from "./recovery.ts";
import { redoAgain } from "./redo.ts";
import { resume } from "./resume.ts";
import { Seal } from "./seal.ts";

/**
 * Takes over a run whose process was killed: locks it, finds its desktop again, lets go of held keys, looks whether the
 * step that was cut off happened, and takes back what stands, or goes on. Cut off itself, it can be done again: nothing is
 * taken back twice. Throws `refused` while a living process has the run, `io` when its journal or key cannot be read.
 */
export async function recoverRun(options: RecoverOptions): Promise<Recovered> {
  const { run, state } = options;
  const folder = runFolder(state, run);
  const seal = Seal.open(state, run);
  const unlock = lockRun(state, run);
  try {
    const past = new Past(folder, seal);
    const known = { run, workflow: past.head.workflow };
    if (past.ended && !past.afterthought) {
      throw new BackstepError("invalid", `Cannot recover run ${run}: it has ended`, {
        hint: `Take it back with: backstep undo ${run}`,
      });
    }
    const journal = options.dryRun ? Journal.unwritten(state, run) : Journal.reopen(state, run, options.sink);
    try {
      return await onItsDesktop(options, past, seal, journal, known);
    } finally {
      journal.close();
    }
  } finally {
    unlock();
  }
}

async function onItsDesktop(
  options: RecoverOptions,
  past: Past,
  seal: Seal,
  journal: Journal,
  known: Pick<Recovered, "run" | "workflow">,
): Promise<Recovered> {
  const nothing = { steps: [], drift: [], probed: [] };
  const reattach = options.reattach ?? reattachIn(options.state);
  const call = options.signal ? { signal: options.signal } : {};
  let session: Session;
  try {
    session = await reattach(past, { adopt: options.dryRun !== true }, call);
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
    const exit = past.deeds.some((deed) => deed.intent >= past.settled && isDoubtful(deed)) ? 4 : 1;
    journal.write({ kind: "end", status: "failed", exit, rollback: "gone" });
    if (!options.dryRun) await removeRemains(past, options.state);
    const reason = toBackstepError(thrown).message;
    return { ...known, ...nothing, verdict: "gone", exit, reason };
  }
  let leave = true;
  try {
    const recovery = await begin(options, past, session, journal, seal);
    if (options.dryRun) return { ...known, ...await look(recovery) };
    const found = past.afterthought?.kind === "redo"
      ? await redoAgain(recovery, past.afterthought.from)
      : options.way === "resume"
      ? await resume(recovery)
      : await back(recovery);
    leave = found.verdict === "refused" || options.hardStop?.aborted === true;
    return { ...known, ...found };
  } finally {
    await session.close({ leave });
  }
}

/** A barrier of which nobody knows whether it was done. */
function isDoubtful({ effect, outcome }: PastDeed): boolean {
  return effect === "irreversible" && (outcome === "none" || outcome === "unknown");
}

/** What would be taken back, and what became of the step that was cut off: only looks. */
async function look(recovery: Recovery): Promise<Omit<Recovered, "run" | "workflow">> {
  const steps: { path: string; what: string }[] = [];
  const mark = markOf(recovery);
  if (typeof mark === "string") return refusedFor(mark, recovery.probed);
  for (const { owner, deeds } of recovery.past.levels) {
    const since = deeds.filter(({ intent }) => intent >= (mark?.line ?? recovery.past.settled));
    const ledger = await ledgerOf(since, owner, recovery);
    for (const { path, name } of ledger.entries.toReversed()) steps.push({ path, what: name });
  }
  return { verdict: "open", exit: 0, steps, drift: [], probed: recovery.probed };
}
