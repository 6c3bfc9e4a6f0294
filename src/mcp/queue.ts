import { cancelled } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";

/** One that waits for its turn. */
interface Waiting {
  readonly go: () => void;
}

/** What waits for a turn at the desktop beyond this is refused. */
const MOST_WAITING = 1_000;

/**
 * One after another, in turns between those who ask: whoever asks often does not keep others waiting. A deed holds its
 * turn to its end; who waits can give up.
 */
export class Queue {
  readonly #waiting = new Map<string, Waiting[]>();
  #busy = false;
  #count = 0;

  /** How many wait. */
  get waiting(): number {
    return this.#count;
  }

  /** Does it when it is `who`'s turn. Rejects with `cancelled` where the signal fires before that, `limit` where too many wait. */
  async run<R>(who: string, signal: AbortSignal, deed: () => Promise<R>): Promise<R> {
    await this.#turn(who, signal);
    try {
      return await deed();
    } finally {
      this.#next();
    }
  }

  #turn(who: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(cancelled("wait for the desktop", signal.reason));
    if (!this.#busy) {
      this.#busy = true;
      return Promise.resolve();
    }
    if (this.#count >= MOST_WAITING) {
      const message = `Cannot wait for the desktop: ${MOST_WAITING} calls wait already`;
      return Promise.reject(new BackstepError("limit", message, { hint: "Try again later." }));
    }
    return new Promise((resolve, reject) => {
      const own = this.#waiting.get(who) ?? [];
      const one: Waiting = {
        go: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      };
      const stop = () => {
        const at = own.indexOf(one);
        if (at < 0) return;
        own.splice(at, 1);
        this.#count--;
        if (own.length === 0) this.#waiting.delete(who);
        reject(cancelled("wait for the desktop", signal.reason));
      };
      own.push(one);
      this.#count++;
      this.#waiting.set(who, own);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** The first of whoever had a turn the longest ago. */
  #next(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#busy = false;
      return;
    }
    const [who, own] = first;
    const one = own.shift();
    this.#waiting.delete(who);
    if (own.length > 0) this.#waiting.set(who, own);
    this.#count--;
    one?.go();
  }
}
