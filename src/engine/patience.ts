import type { Call, Deadline } from "../base/call.ts";
import { toBackstepError } from "../base/error.ts";

/** Milliseconds for one look or one write. */
const FIRST = 5_000;
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

  async with<R>(deed: (call: Call) => Promise<R>): Promise<R> {
    try {
      return await deed(this.deadline.within(this.#each).call());
    } catch (thrown) {
      if (toBackstepError(thrown).code === "timeout") this.#each = Math.max(LEAST, this.#each / 2);
      throw thrown;
    }
  }
}
