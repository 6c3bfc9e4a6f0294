import { BackstepError } from "./error.ts";

/** What every call that may wait takes. `timeout` in milliseconds. */
export interface Call {
  /** Fires: give up, with `cancelled`. */
  readonly signal?: AbortSignal;
  /** Milliseconds; each call has a default of its own. */
  readonly timeout?: number;
}

/**
 * A point in time by which something must be over. Deadlines are made once, at the edge, and handed down; whoever
 * spends part of one asks `remaining()`.
 *
 * @example
 * ```ts
 * import { Deadline } from "./call.ts";
 * const deadline = Deadline.after(1_000);
 * if (deadline.remaining() > 1_000) throw new Error("time runs backwards");
 * ```
 */
export class Deadline {
  /** In milliseconds of `performance.now()`. */
  readonly at: number;
  /** Fires: give up, with `cancelled`; undefined: only time ends it. */
  readonly signal: AbortSignal | undefined;

  private constructor(at: number, signal: AbortSignal | undefined) {
    this.at = at;
    this.signal = signal;
  }

  /** A deadline `milliseconds` from now. */
  static after(milliseconds: number, signal?: AbortSignal): Deadline {
    return new Deadline(performance.now() + milliseconds, signal);
  }

  /** From a call's options, with a default for its timeout. */
  static of(call: Call | undefined, fallback: number): Deadline {
    return Deadline.after(call?.timeout ?? fallback, call?.signal);
  }

  /** The earlier of this one and `milliseconds` from now. */
  within(milliseconds: number): Deadline {
    return new Deadline(Math.min(this.at, performance.now() + milliseconds), this.signal);
  }

  /** Milliseconds left, never negative. */
  remaining(): number {
    return Math.max(0, this.at - performance.now());
  }

  /** Is it over? */
  get passed(): boolean {
    return performance.now() >= this.at;
  }

  /**
   * What is left, as options for a call further down; at least one millisecond, so that it fails there and says what.
   * Timers cut fractions off: in whole milliseconds, what waits for all of it does not wake just before its end.
   */
  call(): Call {
    return {
      timeout: Math.max(1, Math.ceil(this.remaining())),
      ...(this.signal ? { signal: this.signal } : {}),
    };
  }

  /** Throws `cancelled` when the signal has fired. */
  check(doing: string): void {
    if (this.signal?.aborted) throw cancelled(doing, this.signal.reason);
  }
}

/** The error of an abandoned call. */
export function cancelled(doing: string, reason?: unknown): BackstepError {
  return new BackstepError("cancelled", `Cannot ${doing}: it was cancelled`, { cause: reason });
}

/**
 * Waits for `milliseconds`, or less when the signal fires (then it throws `cancelled`). For pacing only: what can be
 * awaited as an event is awaited as an event.
 */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled("wait", signal.reason));
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, Math.ceil(milliseconds));
    function stop() {
      clearTimeout(timer);
      reject(cancelled("wait", signal?.reason));
    }
    signal?.addEventListener("abort", stop, { once: true });
  });
}
