import type { SharedHost } from "../server/call.ts";

/** Answers that are held at once. */
const MOST = 8;

interface Held {
  readonly until: number;
  readonly value: unknown;
}

/** An answer that is being made, for all who ask meanwhile. */
interface Making {
  readonly epoch: number;
  readonly value: Promise<unknown>;
}

/** Answers about a desktop that are given again for a moment, unless anybody acts meanwhile. */
class ShortMemory {
  readonly #held = new Map<string, Held>();
  readonly #making = new Map<string, Making>();
  #epoch = 0;

  /** The answer to a question, made anew where it is not held. Questions of different kinds have different keys. */
  async answer<T>(
    key: string,
    milliseconds: number,
    fits: (value: unknown) => value is T,
    make: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly hit: boolean }> {
    const existing = this.#held.get(key);
    if (existing && performance.now() < existing.until && fits(existing.value)) {
      return { value: existing.value, hit: true };
    }
    const making = this.#making.get(key);
    if (milliseconds > 0 && making?.epoch === this.#epoch) {
      const shared = await this.#shared(making);
      if (shared !== undefined && fits(shared)) return { value: shared, hit: true };
    }
    const epoch = this.#epoch;
    const began = performance.now();
    const made = make();
    const one: Making = { epoch, value: made };
    this.#making.set(key, one);
    try {
      const value = await made;
      // What was seen while somebody acted may be neither before nor after.
      if (milliseconds > 0 && epoch === this.#epoch) this.#hold(key, { until: began + milliseconds, value });
      return { value, hit: false };
    } finally {
      if (this.#making.get(key) === one) this.#making.delete(key);
    }
  }

  /** What another call is making; undefined: it failed, or somebody acted meanwhile. */
  async #shared({ epoch, value }: Making): Promise<unknown> {
    try {
      const made = await value;
      return epoch === this.#epoch ? made : undefined;
    } catch {
      // It may have failed for its own caller alone, who cancelled it: this one asks for itself.
      return undefined;
    }
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

const memories = new WeakMap<SharedHost, ShortMemory>();

/** The memory of a host: all its clients look at one desktop. */
export function memoryOf(host: SharedHost): ShortMemory {
  const existing = memories.get(host);
  if (existing) return existing;
  const memory = new ShortMemory();
  memories.set(host, memory);
  host.security.onChange(() => memory.forget());
  return memory;
}
