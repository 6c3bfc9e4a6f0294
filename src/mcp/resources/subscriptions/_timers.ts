import type { Timers } from "./timers.ts";

interface Planned {
  readonly at: number;
  readonly run: () => void;
}

/** Time that passes when a test says so. */
export class TestTimers implements Timers {
  #now = 0;
  readonly #planned = new Set<Planned>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const planned = { at: this.#now + milliseconds, run };
    this.#planned.add(planned);
    return () => this.#planned.delete(planned);
  }

  /** Lets so many milliseconds pass: what is due is done in its order, each with all that comes of it at once. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = [...this.#planned].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#planned.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await settled();
    }
    this.#now = end;
    await settled();
  }
}

/** Everything that needs no time has been done: a simulated desktop answers without any. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}
