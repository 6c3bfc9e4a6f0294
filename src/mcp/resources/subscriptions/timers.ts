/** The time that subscriptions go by. */
export interface Timers {
  /** Milliseconds since some moment. */
  now(): number;
  /** Does it once, so many milliseconds later; answers how to call it off. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The machine's own. */
export const REAL_TIMERS: Timers = {
  now: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
