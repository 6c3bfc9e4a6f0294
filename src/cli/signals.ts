import process from "node:process";

/** The two ways a run is asked to end. */
export interface Interrupts {
  /** The first interrupt: stop, and undo. */
  readonly stop: AbortSignal;
  /** The second: stop undoing too. */
  readonly hardStop: AbortSignal;
  /** Gives the signals back to the system. */
  release(): void;
}

/**
 * Listens for SIGINT, SIGTERM and SIGHUP while something runs. A repeat within 300 ms is the same interrupt: a
 * terminal's Ctrl-C reaches the whole process group, and npm passes its own on.
 */
export function interrupts(reported: (which: "first" | "second") => void): Interrupts {
  const stop = new AbortController();
  const hardStop = new AbortController();
  let last = 0;
  const listener = (signal: string) => {
    const now = performance.now();
    if (stop.signal.aborted && now - last < 300) return;
    last = now;
    if (!stop.signal.aborted) {
      reported("first");
      stop.abort(new Error(`interrupted by ${signal}`));
    } else if (!hardStop.signal.aborted) {
      reported("second");
      hardStop.abort(new Error(`interrupted again by ${signal}`));
    }
  };
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) process.on(name, listener);
  return {
    stop: stop.signal,
    hardStop: hardStop.signal,
    release() {
      for (const name of names) process.off(name, listener);
    },
  };
}
