import type { Fleet, Held } from "./fleet.ts";
import { bossJob, reached } from "./fleet.ts";

/** A lease that is kept until it is let go of. */
export interface Lease {
  /** Fires when the job is not this worker's any more, or may not be: stop, and roll back. */
  readonly lost: AbortSignal;
  /** Ends the touching. */
  release(): Promise<void>;
}

/** What keeping a lease is done with. */
export interface Keeping {
  /** Milliseconds of the lease. */
  readonly lease: number;
  /** Told why a touch did not succeed; the next one may. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Touches a delivery at a third of its lease's time. It is lost when pg-boss says that it is another's, and when no touch
 * got through for as long as the lease lasts: then another worker may have it already.
 */
export function keepLease(fleet: Fleet, held: Held, { lease, failed }: Keeping): Lease {
  const lost = new AbortController();
  let touched = performance.now();
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let touching: Promise<void> = Promise.resolve();
  const lose = (why: string) => {
    if (!over) lost.abort(new Error(why));
  };
  const touch = async () => {
    // A process that was frozen wakes here: what time it has lost counts.
    const began = performance.now();
    try {
      if (reached(await fleet.boss.touch(held.queue, bossJob(held)))) touched = began;
      else return lose("the job was given to another worker");
    } catch (thrown) {
      failed?.(thrown);
    }
    if (performance.now() - touched >= lease) {
      return lose("the database was not reached for as long as the lease lasts");
    }
    next();
  };
  const next = () => {
    if (over) return;
    const left = touched + lease - performance.now();
    // After a touch that failed it is tried more often, until the time is over.
    timer = setTimeout(() => touching = touch(), Math.max(100, Math.min(lease / 3, left / 3)));
  };
  next();
  return {
    lost: lost.signal,
    async release() {
      over = true;
      clearTimeout(timer);
      await touching;
    },
  };
}
