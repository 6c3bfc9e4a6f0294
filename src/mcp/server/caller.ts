import { cancelled } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { Act, PolicyPort } from "../../contract/gate.ts";
import { CallFailed } from "../../script/call-failed.ts";
import type { McpCall } from "./call.ts";

/**
 * Whoever made a call that acts, as they stand at each of its acts: where their token has ended meanwhile, nothing more is
 * done, and the call ends as one that is cancelled, so that what a workflow did is rolled back.
 */
export class Caller implements PolicyPort {
  readonly #call: McpCall;
  readonly #gone = new AbortController();

  constructor(call: McpCall) {
    this.#call = call;
  }

  /** Fires when they may act no more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Stands before every other judge. */
  async admit({ operation }: Act): Promise<void> {
    await this.stands(operation.name);
  }

  /** Rejects with `cancelled` where they may act no more; `doing` is what is not done then. */
  async stands(doing: string): Promise<void> {
    try {
      await this.#call.mayAct?.();
    } catch (thrown) {
      const finished = toBackstepError(thrown);
      this.#call.log("alert", "axterminator.security", { event: "token_ended", operation: doing });
      this.#gone.abort(finished);
      throw cancelled(doing, finished);
    }
  }

  /** What their call failed with: where they were gone, that. */
  reported(thrown: unknown): unknown {
    const { aborted, reason } = this.#gone.signal;
    if (!aborted || !(reason instanceof BackstepError)) return thrown;
    return thrown instanceof CallFailed ? new CallFailed(reason, thrown.answer) : reason;
  }
}
