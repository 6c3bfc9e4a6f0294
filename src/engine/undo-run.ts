import { BackstepError, toBackstepError } from "../base/error.ts";
import { Journal, runFolder } from "./journal.ts";
import { lockRun } from "./lock.ts";
import { Past } from "./past.ts";
import { back } from "./recover-back.ts";
import { begin, type Recovered, type RecoverOptions, type Recovery } from "./recovery.ts";
import { isGone, reattachIn, vanished } from "./reattach.ts";
import { redoAgain } from "./redo.ts";
import { Seal } from "./seal.ts";

/** What taking back a run that passed needs. */
export interface UndoOptions extends Omit<RecoverOptions, "way" | "load" | "dryRun"> {
  /** Only so many of the deeds that stand, the last ones. */
  readonly last?: number;
}

/** What `undo` or `redo` came to. */
export interface Undone extends Omit<Recovered, "verdict" | "result" | "probed"> {
  readonly verdict: "restored" | "drift" | "failed" | "in doubt" | "already";
}

/**
 * Takes back a run that has ended, on the desktop where it ran: as on a way back, what somebody changed since is left alone.
 * It ends at the last irreversible step. Throws `no_desktop` when the desktop is gone, `invalid` when the run has not ended.
 */
export async function undoRun(options: UndoOptions): Promise<Undone> {
  return await afterwards(options, "undo");
}

/** Puts in place again what `undoRun` took back, as far as it is state that can be written. */
export async function redoRun(options: Omit<UndoOptions, "last">): Promise<Undone> {
  return await afterwards(options, "redo");
}

async function afterwards(options: UndoOptions, kind: "undo" | "redo"): Promise<Undone> {
  const { run, state } = options;
  const seal = Seal.open(state, run);
  const unlock = lockRun(state, run);
  try {
    const past = new Past(runFolder(state, run), seal);
    if (!past.ended) {
      throw new BackstepError("invalid", `Cannot ${kind} run ${run}: it has not ended`, {
        hint: `It was cut off; take it back with: backstep recover ${run}`,
      });
    }
    const known = { run, workflow: past.head.workflow };
    const from = fromOf(past, kind, options.last);
    if (from === undefined) return { ...known, verdict: "already", exit: 0, steps: [], drift: [] };
    const reattach = options.reattach ?? reattachIn(state);
    const call = options.signal ? { signal: options.signal } : {};
    const session = await reattach(past, { adopt: false }, call).catch((thrown: unknown) => {
      throw isGone(thrown) ? vanished(run, toBackstepError(thrown).message) : thrown;
    });
    const journal = Journal.reopen(state, run, options.sink);
    try {
      journal.write({ kind, from });
      past.afterthought = { kind, from };
      past.verdicts = [];
      const recovery: Recovery = await begin(options, past, session, journal, seal);
      const { verdict, ...found } = kind === "undo" ? await back(recovery) : await redoAgain(recovery, from);
      const { probed: _, result: __, ...rest } = found;
      return { ...known, ...rest, verdict: verdictOf(verdict) };
    } finally {
      journal.close();
      await session.close({ leave: true });
    }
  } finally {
    unlock();
  }
}

/** The first deed that it is about; undefined: there is none. */
function fromOf(past: Past, kind: "undo" | "redo", last: number | undefined): number | undefined {
  if (kind === "redo") return past.taken[0] && Math.min(...past.taken.map(({ intent }) => intent));
  const intents = past.deeds.filter(({ outcome }) => outcome !== "failed").map(({ intent }) => intent);
  const stop = past.deeds.findLast((deed) =>
    deed.effect === "irreversible" && !deed.passable && deed.outcome !== "failed"
  );
  // Nothing leads back past an irreversible step: what came after it is all there is.
  const free = intents.filter((intent) => stop === undefined || intent > stop.intent);
  if (free.length === 0 || last !== undefined) return free.at(-Math.min(last ?? 1, free.length));
  return stop?.intent ?? free[0];
}

function verdictOf(verdict: Recovered["verdict"]): Undone["verdict"] {
  return verdict === "restored" || verdict === "drift" || verdict === "in doubt" ? verdict : "failed";
}
