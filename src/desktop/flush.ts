import type { Call, Deadline } from "../base/call.ts";

/** Has an application report what has changed in it by now: see `Desktop.flushOf`. */
export type Flush = (call?: Call) => Promise<void>;

/** Milliseconds between two flushes while something is waited for: after `first`, then each time twice as late up to `slowest`. */
const EVERY = { first: 4, slowest: 64 };

/**
 * The turns in which something is waited for: each flushes what the application has to report, and lasts until the next flush
 * is due. Where nothing is to be flushed there is one, as long as the deadline.
 */
export function flushTurns(flush: Flush | undefined, deadline: Deadline): () => Promise<Deadline> {
  let every = EVERY.first;
  return async () => {
    if (flush === undefined) return deadline;
    await flush(deadline.call());
    const turn = deadline.within(every);
    every = Math.min(2 * every, EVERY.slowest);
    return turn;
  };
}
