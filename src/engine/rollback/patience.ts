import type { Call, Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";

/** Milliseconds for one look. */
const FIRST = 5_000;
/** A write is several calls, each with its look: so many times as long. */
const WRITE = 2;
const LEAST = 250;

/**
 * Shares a deadline among many calls: a hung application costs its own time and not what the others need. After each
 * silence there is less for the next call.
 */
export class Patience {
  readonly deadline: Deadline;
  #each = FIRST;

  constructor(deadline: Deadline) {
    this.deadline = deadline;
  }

  /** One look. */
  with<R>(look: (call: Call) => Promise<R>): Promise<R> {
    return this.#within(this.#each, look);
  }

  /** One write. */
  write<R>(action: (call: Call) => Promise<R>): Promise<R> {
    return this.#within(WRITE * this.#each, action);
  }

  async #within<R>(milliseconds: number, action: (call: Call) => Promise<R>): Promise<R> {
    try {
      return await action(this.deadline.within(milliseconds).call());
    } catch (thrown) {
      if (toBackstepError(thrown).code === "timeout") this.#each = Math.max(LEAST, this.#each / 2);
      throw thrown;
    }
  }
}
