import { BackstepError, type Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Effect } from "../contract/effect.ts";
import type { RollbackResult, StepResult } from "../contract/events.ts";

/** What a call came to. */
export interface LiveAnswer {
  /** What the tool answers; null where it answered nothing. */
  readonly output: Json;
  /** What undoing it would need; of `ax_workflow` and `ax_undo` "read". */
  readonly effect: Effect;
  readonly step: StepResult;
  /** Every rollback that it went. */
  readonly rollbacks: readonly RollbackResult[];
}

/** A call that failed: the error of its step, and what is known of it beside. The live run goes on. */
export class CallFailed extends BackstepError {
  /** Absent where it failed before it began. */
  readonly answer: LiveAnswer | undefined;

  constructor(error: BackstepError, answer: LiveAnswer | undefined) {
    const { hint, place, details } = error;
    super(error.code, error.message, {
      cause: error,
      ...defined({ hint, place, details }),
    });
    this.answer = answer;
  }
}
