/** Milliseconds on a clock that only goes forward. */
export type Clock = () => number;

/** A limit that was reached. */
export interface Refusal {
  readonly limit: "second" | "minute" | "concurrency" | "vision" | "script";
  readonly most: number;
  /** Whole milliseconds after which it passes; at concurrency an estimate, since a running call has to end first. */
  readonly retryAfterMs: number;
}

/** How much one session may do. */
export interface SessionLimits {
  readonly rps: number;
  readonly rpm: number;
  readonly concurrency: number;
}

const SECOND = 1_000;
const MINUTE = 60_000;
/** Nobody knows when a running call ends: soon enough to ask again, late enough not to hammer. */
const CONCURRENCY_RETRY = 100;

/**
 * At most so many in any stretch of time, counted exactly: each that passed is remembered until it is out of the window.
 *
 * @example
 * ```ts
 * import { Window } from "./limits.ts";
 * let now = 0;
 * const window = new Window(1_000, () => now);
 * window.count();
 * if (window.wait(1) !== 1_000) throw new Error();
 * now = 1_000;
 * if (window.wait(1) !== 0) throw new Error();
 * ```
 */
export class Window {
  readonly #span: number;
  readonly #now: Clock;
  #times: number[] = [];
  #first = 0;

  constructor(span: number, now: Clock) {
    this.#span = span;
    this.#now = now;
  }

  /** Whole milliseconds until one more passes; 0: it does now. */
  wait(most: number): number {
    const now = this.#now();
    this.#forget(now);
    const counted = this.#times.length - this.#first;
    if (counted < most) return 0;
    const leaves = this.#times[this.#times.length - most] ?? now;
    return Math.max(1, Math.ceil(leaves + this.#span - now));
  }

  /** One passed. */
  count(): void {
    this.#times.push(this.#now());
  }

  #forget(now: number): void {
    while (this.#first < this.#times.length && (this.#times[this.#first] ?? now) + this.#span <= now) {
      this.#first++;
    }
    if (this.#first < 1_024 || this.#first * 2 < this.#times.length) return;
    this.#times = this.#times.slice(this.#first);
    this.#first = 0;
  }
}

/** What one session has used of its limits. */
export class SessionLimiter {
  readonly #second: Window;
  readonly #minute: Window;
  #running = 0;

  constructor(now: Clock = () => performance.now()) {
    this.#second = new Window(SECOND, now);
    this.#minute = new Window(MINUTE, now);
  }

  /** Lets a call in, or says why not. What was refused does not count, so that the hint holds. `end` when it is over. */
  begin({ rps, rpm, concurrency }: SessionLimits): Refusal | undefined {
    if (this.#running >= concurrency) {
      return { limit: "concurrency", most: concurrency, retryAfterMs: CONCURRENCY_RETRY };
    }
    const [second, minute] = [this.#second.wait(rps), this.#minute.wait(rpm)];
    if (second > 0 || minute > 0) {
      return minute >= second
        ? { limit: "minute", most: rpm, retryAfterMs: minute }
        : { limit: "second", most: rps, retryAfterMs: second };
    }
    this.penalise();
    this.#running++;
    return undefined;
  }

  /** A call is over. */
  end(): void {
    this.#running = Math.max(0, this.#running - 1);
  }

  /** Counts one more without a call: for what somebody tried that is blocked. */
  penalise(): void {
    this.#second.count();
    this.#minute.count();
  }
}

/** A limit that all sessions share. */
export class SharedLimiter {
  readonly #limit: "vision" | "script";
  readonly #minute: Window;

  constructor(limit: "vision" | "script", now: Clock = () => performance.now()) {
    this.#limit = limit;
    this.#minute = new Window(MINUTE, now);
  }

  /** Lets one pass, or says why not. */
  take(most: number): Refusal | undefined {
    const wait = this.#minute.wait(most);
    if (wait > 0) return { limit: this.#limit, most, retryAfterMs: wait };
    this.#minute.count();
    return undefined;
  }
}
