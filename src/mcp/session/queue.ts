import { cancelled } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";

/** One that waits for its turn. */
interface Waiting {
  readonly go: () => void;
}

/** A turn that somebody has. */
export interface Turn {
  /**
   * Lets others have the desktop while something else is waited for, such as a person's word; then it is had again. Further
   * calls of whoever has the turn wait until then. Rejects with `cancelled` where the signal fires before.
   */
  aside<R>(wait: () => Promise<R>): Promise<R>;
}

/** What waits for a turn at the desktop beyond this is refused. */
const MOST_WAITING = 1_000;

/**
 * One after another, in turns between those who ask: whoever asks often does not keep others waiting. An action holds its
 * turn to its end; who waits can give up.
 */
export class Queue {
  readonly #waiting = new Map<string, Waiting[]>();
  /** Those who let others go before them, in the middle of what they do. */
  readonly #away = new Set<string>();
  #busy = false;
  #count = 0;

  /** How many wait. */
  get waiting(): number {
    return this.#count;
  }

  /**
   * Does it when it is `who`'s turn. Rejects with `cancelled` where the signal fires before that, `limit` where too many wait;
   * `last` is the end of somebody, which is not refused.
   */
  async run<R>(
    who: string,
    signal: AbortSignal,
    action: (turn: Turn) => Promise<R>,
    last = false,
  ): Promise<R> {
    await this.#turn(who, signal, last ? "whatever waits" : "in turn");
    let held = true;
    let asides = 0;
    const aside: Turn["aside"] = async (wait) => {
      if (asides++ === 0) {
        held = false;
        this.#away.add(who);
        this.#next();
      }
      try {
        return await wait();
      } finally {
        if (--asides === 0) {
          await this.#back(who, signal);
          held = true;
        }
      }
    };
    try {
      return await action({ aside });
    } finally {
      if (held) this.#next();
    }
  }

  async #back(who: string, signal: AbortSignal): Promise<void> {
    this.#away.delete(who);
    try {
      await this.#turn(who, signal, "first");
    } catch (thrown) {
      // Others of its own may have waited for it alone.
      if (!this.#busy) this.#next();
      throw thrown;
    }
  }

  #turn(who: string, signal: AbortSignal, how: "in turn" | "whatever waits" | "first"): Promise<void> {
    if (signal.aborted) return Promise.reject(cancelled("wait for the desktop", signal.reason));
    if (!this.#busy && !this.#away.has(who)) {
      this.#busy = true;
      return Promise.resolve();
    }
    if (how === "in turn" && this.#count >= MOST_WAITING) {
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
        if (own.length === 0 && this.#waiting.get(who) === own) this.#waiting.delete(who);
        reject(cancelled("wait for the desktop", signal.reason));
      };
      if (how === "first") own.unshift(one);
      else own.push(one);
      this.#count++;
      this.#waiting.set(who, own);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** The first of whoever had a turn the longest ago. */
  #next(): void {
    const found = [...this.#waiting].find(([who]) => !this.#away.has(who));
    this.#busy = found !== undefined;
    if (!found) return;
    const [who, own] = found;
    const one = own.shift();
    this.#waiting.delete(who);
    if (own.length > 0) this.#waiting.set(who, own);
    this.#count--;
    one?.go();
  }
}
