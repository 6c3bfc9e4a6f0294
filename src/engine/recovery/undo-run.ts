import { BackstepError, toBackstepError } from "../../base/error.ts";
import { Journal, runFolder } from "../journal/journal.ts";
import { lockRun } from "../journal/lock.ts";
import { PastRun } from "../journal/past-run.ts";
import { back } from "./roll-back-run.ts";
import { begin, type Recovered, type RecoverOptions, type Recovery } from "./recovery.ts";
import { isGone, reattachIn, vanished } from "./reattach.ts";
import { redoAgain } from "./redo.ts";
import { Encryption } from "../journal/encryption.ts";

/** What undoing a run that passed needs. */
export interface UndoOptions extends Omit<RecoverOptions, "way" | "load" | "dryRun"> {
  /** Only so many of the actions that stand, the last ones. */
  readonly last?: number;
}

/** What `undo` or `redo` came to. */
export interface Undone extends Omit<Recovered, "verdict" | "result" | "probed"> {
  readonly verdict: "restored" | "drift" | "failed" | "in doubt" | "already";
}

/**
 * Undoes a run that has ended, on the desktop where it ran: as on a rollback, what somebody changed since is left alone.
 * It ends at the last irreversible step. Throws `no_desktop` when the desktop is gone, `invalid` when the run has not ended.
 */
export async function undoRun(options: UndoOptions): Promise<Undone> {
  return await afterwards(options, "undo");
}

/** Puts in place again what `undoRun` undid, as far as it is state that can be written. */
export async function redoRun(options: Omit<UndoOptions, "last">): Promise<Undone> {
  return await afterwards(options, "redo");
}

async function afterwards(options: UndoOptions, kind: "undo" | "redo"): Promise<Undone> {
  const { run, state } = options;
  const encryption = Encryption.open(state, run);
  const unlock = lockRun(state, run);
  try {
    const pastRun = new PastRun(runFolder(state, run), encryption);
    if (!pastRun.finished) {
      throw new BackstepError("invalid", `Cannot ${kind} run ${run}: it has not ended`, {
        hint: `It was cut off; roll it back with: backstep recover ${run}`,
      });
    }
    const existing = { run, workflow: pastRun.head.workflow };
    const from = fromOf(pastRun, kind, options.last);
    if (from === undefined) return { ...existing, verdict: "already", exit: 0, steps: [], drift: [] };
    const reattach = options.reattach ?? reattachIn(state);
    const call = options.signal ? { signal: options.signal } : {};
    const session = await reattach(pastRun, { adopt: false }, call).catch((thrown: unknown) => {
      throw isGone(thrown) ? vanished(run, toBackstepError(thrown).message) : thrown;
    });
    const journal = Journal.reopen(state, run, options.sink);
    try {
      journal.write({ kind, from });
      pastRun.lateChange = { kind, from };
      pastRun.verdicts = [];
      const recovery: Recovery = await begin(options, pastRun, session, journal, encryption);
      const { verdict, ...found } = kind === "undo" ? await back(recovery) : await redoAgain(recovery, from);
      const { probed: _, result: __, ...rest } = found;
      return { ...existing, ...rest, verdict: verdictOf(verdict) };
    } finally {
      journal.close();
      await session.close({ leave: true });
    }
  } finally {
    unlock();
  }
}

/** The first action that it is about; undefined: there is none. */
function fromOf(pastRun: PastRun, kind: "undo" | "redo", last: number | undefined): number | undefined {
  if (kind === "redo") return pastRun.taken[0] && Math.min(...pastRun.taken.map(({ intent }) => intent));
  const intents = pastRun.actions.filter(({ outcome }) => outcome !== "failed").map(({ intent }) => intent);
  const stop = pastRun.actions.findLast((action) =>
    action.effect === "irreversible" && !action.passable && action.outcome !== "failed"
  );
  // Nothing leads back past an irreversible step: what came after it is all there is.
  const free = intents.filter((intent) => stop === undefined || intent > stop.intent);
  if (free.length === 0 || last !== undefined) return free.at(-Math.min(last ?? 1, free.length));
  return stop?.intent ?? free[0];
}

function verdictOf(verdict: Recovered["verdict"]): Undone["verdict"] {
  return verdict === "restored" || verdict === "drift" || verdict === "in doubt" ? verdict : "failed";
}
