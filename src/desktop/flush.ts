import type { Deadline } from "../base/call.ts";
import type { Desktop } from "./desktop.ts";
import type { ElementRef } from "./element.ts";

/** Milliseconds between two flushes while something is waited for: after `first`, then each time twice as late up to `slowest`. */
const EVERY = { first: 4, slowest: 64 };

/** Has an application report what has changed by now. */
export type Flush = (deadline: Deadline) => Promise<void>;

/** How to have the application of an element report at once; undefined: nobody can be asked. */
export function flushOf(
  desktop: Desktop,
  element: ElementRef | { readonly bus: string } | undefined,
): Flush | undefined {
  if (element === undefined || !("path" in element)) return undefined;
  return desktop.flushReports &&
    ((deadline) => desktop.flushReports?.(element, deadline.call()) ?? Promise.resolve());
}

/**
 * The turns in which something is waited for: each flushes what the application has to report, and lasts until the next flush
 * is due. Where nothing can be flushed there is one, as long as the deadline.
 */
export function flushTurns(flush: Flush | undefined, deadline: Deadline): () => Promise<Deadline> {
  let every = EVERY.first;
  return async () => {
    if (flush === undefined) return deadline;
    await flush(deadline);
    const turn = deadline.within(every);
    every = Math.min(2 * every, EVERY.slowest);
    return turn;
  };
}
