import type { Deadline } from "../base/call.ts";
import type { BackstepError, Json } from "../base/error.ts";
import type { RollbackResult, RunEvent, StepResult } from "../contract/events.ts";
import type { Gate } from "../contract/gate.ts";
import type { Session } from "../session/session.ts";
import type { Journal } from "./journal.ts";
import type { Mask } from "./mask.ts";
import type { Seal } from "./seal.ts";
import type { Surroundings } from "./scope.ts";

/** What every part of a run shares. */
export interface RunContext {
  readonly run: string;
  readonly session: Session;
  readonly gate: Gate;
  readonly journal: Journal;
  readonly seal: Seal;
  readonly mask: Mask;
  readonly surroundings: Surroundings;
  /** Of the flow; the way back has a budget of its own. */
  readonly deadline: Deadline;
  /** The second interrupt: stops even the way back. */
  readonly hardStop: AbortSignal | undefined;
  readonly emit: (event: RunEvent) => void;
  /** Results of steps, in the order in which they ended. */
  readonly steps: StepResult[];
  /** Every way back of this run, in order. */
  readonly rollbacks: RollbackResult[];
  /** Opened when an irreversible deed may or may not have happened; shared by the parts of a run. */
  readonly doubt: { open: boolean };
}

/** Why a flow stops: the step that failed, and what is to be done about it. */
export class FlowStopped extends Error {
  override readonly name = "FlowStopped";
  readonly path: string;
  readonly error: BackstepError;
  /** What the step said itself; undefined: as the file says. */
  readonly policy: "rollback" | "stop" | undefined;

  constructor(path: string, error: BackstepError, policy: "rollback" | "stop" | undefined) {
    super(error.message, { cause: error });
    this.path = path;
    this.error = error;
    this.policy = policy;
  }
}

/** A value that came out of a schema, as JSON: what cannot be written as JSON is left out. */
export function toJson(value: unknown): Json {
  const text = JSON.stringify(value);
  const json: Json = text === undefined ? null : JSON.parse(text);
  return json;
}
