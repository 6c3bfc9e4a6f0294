import type { Host } from "./host.ts";

/** Milliseconds that an answer may be given again, where a host does not say. */
export const CACHES: Caches = { trees: 500, screenshots: 100 };
/** Answers that are held at once. */
const MOST = 8;

/** How long answers may be given again, in milliseconds; 0: never. */
export interface Caches {
  readonly trees: number;
  /** Of one window or screen. */
  readonly screenshots: number;
}

interface Held {
  readonly until: number;
  readonly value: unknown;
}

/** Answers about a desktop that are given again for a moment, unless anybody acts meanwhile. */
export class ShortMemory {
  readonly #held = new Map<string, Held>();
  #epoch = 0;

  /** The answer to a question, made anew where it is not held. Questions of different kinds have different keys. */
  async answer<T>(
    key: string,
    milliseconds: number,
    fits: (value: unknown) => value is T,
    make: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly hit: boolean }> {
    const known = this.#held.get(key);
    if (known && performance.now() < known.until && fits(known.value)) {
      return { value: known.value, hit: true };
    }
    const epoch = this.#epoch;
    const began = performance.now();
    const value = await make();
    // What was seen while somebody acted may be neither before nor after.
    if (milliseconds > 0 && epoch === this.#epoch) this.#hold(key, { until: began + milliseconds, value });
    return { value, hit: false };
  }

  /** Somebody acts, or what may be seen is another: nothing of before is given again. */
  forget(): void {
    this.#epoch++;
    this.#held.clear();
  }

  #hold(key: string, held: Held): void {
    const now = performance.now();
    for (const [one, { until }] of this.#held) {
      if (until <= now || this.#held.size >= MOST) this.#held.delete(one);
    }
    this.#held.set(key, held);
  }
}

const memories = new WeakMap<Host, ShortMemory>();

/** The memory of a host: all its clients look at one desktop. */
export function memoryOf(host: Host): ShortMemory {
  const known = memories.get(host);
  if (known) return known;
  const memory = new ShortMemory();
  memories.set(host, memory);
  host.security.onChange(() => memory.forget());
  return memory;
}
