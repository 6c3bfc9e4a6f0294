import type { Json } from "../base/error.ts";
import type { RunListener } from "../contract/events.ts";
import type { Operation } from "../contract/operation.ts";
import type { Session } from "../session/session.ts";
import type { Budgets } from "./budgets.ts";
import type { AskConflict } from "./conflicts.ts";
import type { Journal } from "./journal.ts";
import type { Memory } from "./memory.ts";
import type { AcceptedPlan } from "./plan.ts";
import type { Surroundings } from "./scope.ts";
import type { Seal } from "./seal.ts";
import type { Durability, Sink } from "./sink.ts";
import type { OnConflict, OnInterference } from "./step.ts";

/** What a run is given. */
export interface RunOptions {
  /** The catalogue: the same that the workflow was parsed with. */
  readonly operations: Iterable<Operation>;
  /** Stays open: whoever opened it closes it. */
  readonly session: Session;
  /** Values of the file's variables, complete and typed. */
  readonly vars: Readonly<Record<string, Json>>;
  /** Where environment variables and secrets come from. */
  readonly surroundings: Surroundings;
  /** The folder that paths are confined to. */
  readonly folder: string;
  /** Default: `stateFolder()`. */
  readonly state?: string;
  /** Default: a new one. */
  readonly run?: string;
  /** What each part of it may take; default `BUDGETS`. */
  readonly budgets?: Partial<Budgets>;
  /** What is done about what somebody else changed meanwhile; default: what the file says, else "stop". */
  readonly onConflict?: OnConflict;
  /** Asks a person, for `ask`; without one that is "stop". */
  readonly askConflict?: AskConflict;
  /** The plan that was accepted: the run is refused, before its first step, when the desktop or the file is otherwise now. */
  readonly plan?: AcceptedPlan;
  /** What is done when somebody else uses keyboard or pointer; default: what the file says, else `usualPolicy` of the desktop. */
  readonly onInterference?: OnInterference;
  /** Which journal lines are waited for until they are on the disk; default: what the file says, else "barriers". */
  readonly durability?: Durability;
  /** Told every event in order, secrets masked. One that throws is told no more, and its error is thrown at the end. */
  readonly listener?: RunListener;
  /** Fires: stop, and take back. */
  readonly signal?: AbortSignal;
  /** Fires: stop taking back too; the journal stays open. */
  readonly hardStop?: AbortSignal;
}

/** A run that was cut off, as `recover` hands it on. Its lock is held by whoever does. */
export interface Resumed {
  readonly journal: Journal;
  readonly seal: Seal;
  readonly memory: Memory;
}

/** What only `recover` and experiments hand to a run. */
export interface Inside {
  /** How its journal reaches the disk; default `DISK`. */
  readonly sink?: Sink;
  /** What a run that was cut off had done: it goes on where that ended, in the same journal. */
  readonly resumed?: Resumed;
}
