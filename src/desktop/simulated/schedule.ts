import type { Clock } from "./clock.ts";

/** When something is due: after so many calls to the desktop, or so many milliseconds, whichever comes first. */
export interface Due {
  /** Counted over all calls to the desktop, at least 1; default: never by calls. */
  readonly calls?: number;
  /** By the desktop's clock, which may be virtual; default: never by time. */
  readonly ms?: number;
}

interface Item {
  readonly call: number;
  readonly time: number;
  readonly run: () => void;
}

/**
 * What is to happen later. It holds no timer: the desktop asks it at each call, and a watcher that waits wakes when
 * the next item is due.
 */
export class Schedule {
  readonly #clock: Clock;
  #items: Item[] = [];
  #timed = 0;
  #calls = 0;
  /** Told when something new became due sooner or later. */
  onAdd: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls to the desktop so far. */
  get calls(): number {
    return this.#calls;
  }

  add(due: Due, run: () => void): void {
    const call = due.calls === undefined ? Infinity : this.#calls + Math.max(1, due.calls);
    const time = due.ms === undefined ? Infinity : this.#clock.now() + due.ms;
    this.#items.push({ call, time, run });
    if (time < Infinity) this.#timed++;
    this.onAdd();
  }

  /** One more call to the desktop: counts it and does what is due. */
  call(): void {
    this.#calls++;
    if (this.#items.length > 0) this.run();
  }

  /** Does what is due by now, in the order in which it was planned. */
  run(): void {
    if (this.#items.length === 0) return;
    const now = this.#timed > 0 ? this.#clock.now() : -1;
    const due = this.#items.filter((item) => item.call <= this.#calls || item.time <= now);
    if (due.length === 0) return;
    this.#items = this.#items.filter((item) => !due.includes(item));
    this.#timed = this.#items.filter((item) => item.time < Infinity).length;
    for (const item of due) item.run();
  }

  /** Milliseconds until the next item that is due by time; undefined: there is none. */
  next(): number | undefined {
    if (this.#timed === 0) return undefined;
    const first = Math.min(...this.#items.map((item) => item.time));
    return Math.max(0, first - this.#clock.now());
  }
}
