import type { Deadline } from "../base/call.ts";
import { type BackstepError, type Json, toBackstepError } from "../base/error.ts";
import type { RollbackResult, RunEvent, StepResult } from "../contract/events.ts";
import type { Effect } from "../contract/effect.ts";
import type { AuditPort, Gate, PolicyPort } from "../contract/gate.ts";
import type { Participant } from "../contract/participant.ts";
import type { Session } from "../session/session.ts";
import type { AsLeft } from "./as-left.ts";
import type { Budgets } from "./budgets.ts";
import type { Unstable } from "./changing.ts";
import type { AskConflict } from "./conflicts.ts";
import type { Observer } from "./evidence/observer.ts";
import type { InputGuard } from "./interference.ts";
import type { Journal } from "./journal.ts";
import type { Enrolment, LedgerEntry } from "./ledger.ts";
import type { LastLooks } from "./last-looks.ts";
import type { Memory } from "./memory.ts";
import type { Mask } from "./mask.ts";
import type { Seal } from "./seal.ts";
import type { Surroundings } from "./scope.ts";
import type { SoftFailure } from "./soft.ts";

/** A step that passed, as it was called. */
export interface Passed {
  readonly operation: string;
  readonly input: Json;
  readonly app: string | undefined;
  readonly effect: Effect;
}

/** What every part of a run shares. */
export interface RunContext {
  readonly run: string;
  readonly session: Session;
  readonly gate: Gate;
  readonly journal: Journal;
  readonly seal: Seal;
  readonly mask: Mask;
  readonly surroundings: Surroundings;
  readonly budgets: Budgets;
  /** Participants that every deed may change: the files that the workflow declares; shared by the parts of a run. */
  readonly always: Participant[];
  /** What the workflow declares, as participants of the desktop that there is now. */
  declare(): Promise<readonly Participant[]>;
  /** Every step that passed and was not taken back, in order: what a new desktop is replayed with. */
  readonly history: Passed[];
  /** How the file wants to be taken back. */
  readonly way: "restore" | "rebuild";
  /** The newest enrolment of each participant that may change after a deed's answer. */
  readonly late: Map<string, Enrolment>;
  /** What changes by itself. */
  readonly unstable: Unstable;
  /** Whether what somebody else changed is overwritten. */
  readonly conflict: AskConflict;
  /** Notices input of others; undefined: nobody watches, as in a way back. */
  readonly guard: InputGuard | undefined;
  /** Of the flow; the way back has a budget of its own. */
  readonly deadline: Deadline;
  /** The second interrupt: stops even the way back. */
  readonly hardStop: AbortSignal | undefined;
  readonly emit: (event: RunEvent) => void;
  /** Results of steps, in the order in which they ended. */
  readonly steps: StepResult[];
  /** Every way back of this run, in order. */
  readonly rollbacks: RollbackResult[];
  /** The last look of a rollback that is still due; shared by the parts of a run. */
  readonly lastLooks: LastLooks;
  /** What the steps left; undefined: nobody asks, as in a rollback and in `after:`. */
  readonly asLeft: AsLeft | undefined;
  /** Its steps are over: what is found otherwise from here on stops nothing. */
  readonly ending?: true;
  /** Sees each step, where evidence is kept; shared by the parts of a run. */
  readonly observer?: Observer;
  /** What a run that was cut off had done already: it is not done again. */
  readonly memory?: Memory;
  /** Irreversible deeds that may or may not have happened; shared by the parts of a run. */
  readonly doubts: Set<LedgerEntry>;
  /** Checks that failed and let the flow go on: it fails at its end. Shared by the parts of a run. */
  readonly soft: SoftFailure[];
  /** Judges every act of the flow beside the engine itself. */
  readonly admission: readonly PolicyPort[];
  /** Hears of every act of the flow. */
  readonly audit: AuditPort;
}

/** Why a flow stops: the step that failed, and what is to be done about it. */
export class FlowStopped extends Error {
  override readonly name = "FlowStopped";
  readonly path: string;
  readonly error: BackstepError;
  /** What the step said itself; undefined: as the file says. */
  readonly policy: "rollback" | "stop" | undefined;
  /** `after:` of files that were run: due when what they did has been taken back, or is to stay. */
  readonly afterwards: (() => Promise<void>)[] = [];
  /** Something that was to be taken back was not: no `optional:` makes up for that. */
  remains = false;

  constructor(path: string, error: BackstepError, policy: "rollback" | "stop" | undefined) {
    super(error.message, { cause: error });
    this.path = path;
    this.error = error;
    this.policy = policy;
  }

  /** What is due now that the way back is over. */
  async finish(): Promise<void> {
    for (const due of this.afterwards.splice(0)) await due();
  }
}

/** Anything thrown as a flow that stops at `path`. */
export function stoppedAt(path: string, thrown: unknown): FlowStopped {
  return thrown instanceof FlowStopped ? thrown : new FlowStopped(path, toBackstepError(thrown), undefined);
}

/** A value that came out of a schema, as JSON: what cannot be written as JSON is left out. */
export function toJson(value: unknown): Json {
  const text = JSON.stringify(value);
  const json: Json = text === undefined ? null : JSON.parse(text);
  return json;
}
