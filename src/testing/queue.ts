/** What a queue needs to know of its items. */
export interface Locking {
  /** Of two items that share one, only one is out at a time. */
  readonly locks: readonly string[];
}

/**
 * Hands items out in their order, to several takers at once; of those that share a lock one at a time. A taker for whom only
 * locked items are left waits until one is given back.
 */
export class Queue<T extends Locking> {
  readonly #waiting: T[];
  readonly #held = new Set<string>();
  #turned = Promise.withResolvers<void>();

  constructor(items: readonly T[]) {
    this.#waiting = [...items];
  }

  /** The next item that can be done now; undefined when there is none any more. Give it back when it is done. */
  async take(): Promise<T | undefined> {
    for (;;) {
      const at = this.#waiting.findIndex(({ locks }) => !locks.some((lock) => this.#held.has(lock)));
      const [item] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (item) {
        for (const lock of item.locks) this.#held.add(lock);
        return item;
      }
      if (this.#waiting.length === 0) return undefined;
      await this.#turned.promise;
    }
  }

  /** Lets go of an item's locks. */
  giveBack(item: T): void {
    for (const lock of item.locks) this.#held.delete(lock);
    this.#wake();
  }

  /** Takes away what nobody has taken yet, and answers it. */
  drain(): T[] {
    const left = this.#waiting.splice(0);
    this.#wake();
    return left;
  }

  #wake(): void {
    this.#turned.resolve();
    this.#turned = Promise.withResolvers();
  }
}
