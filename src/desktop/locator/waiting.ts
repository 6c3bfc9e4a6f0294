import { type Deadline, pause } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { Application } from "../element.ts";

/** Applications drop events: a tree is read again after so many milliseconds without one. */
export const FORCED_REREAD = 1_000;

/** Bursts of events cause one re-read in so many milliseconds. */
const BETWEEN_READS = 50;

/**
 * Attempts until one gives a value: subscribes first, so that nothing between an attempt and the wait is missed, then
 * attempts again on each event (bursts make one) and once a second regardless. When the deadline has passed, or after an
 * attempt the patience, `give` makes the error of the last attempt.
 */
export async function attempts<T, F>(
  desktop: Desktop,
  application: Application | undefined,
  deadline: Deadline,
  doing: string,
  attempt: () => Promise<{ readonly value: T } | { readonly failed: F }>,
  give: (failed: F) => Error,
  patience: Deadline = deadline,
): Promise<T> {
  const watch = desktop.watch(application);
  let last: { readonly failed: F } | undefined;
  try {
    for (;;) {
      deadline.check(doing);
      watch.take();
      const began = performance.now();
      try {
        const outcome = await attempt();
        if ("value" in outcome) return outcome.value;
        last = outcome;
      } catch (thrown) {
        // A read that was cut short by our own deadline says less than what was seen before it.
        if (last === undefined || !deadline.passed || toBackstepError(thrown).code !== "timeout") {
          throw thrown;
        }
      }
      if (!patience.passed) {
        await watch.next(patience.within(FORCED_REREAD).call());
        const early = Math.min(BETWEEN_READS - (performance.now() - began), patience.remaining());
        if (early > 0) await pause(early, patience.signal);
      }
      if (patience.passed) throw give(last.failed);
    }
  } finally {
    watch.close();
  }
}
