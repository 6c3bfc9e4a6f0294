/** What a queue needs to know of its items. */
export interface Locking {
  /** Of two items that share one, only one is out at a time. */
  readonly locks: readonly string[];
  /** It is handed out when nothing else is out, and nothing else while it is. */
  readonly alone?: boolean;
  /** It may be given back to be done once more. */
  readonly mayReturn?: boolean;
}

/**
 * Hands items out in their order, to several takers at once; of those that share a lock one at a time, and those that are to be
 * alone when nothing else can be done. A taker for whom nothing is left that can be done now waits until an item is given back.
 */
export class Queue<T extends Locking> {
  readonly #waiting: T[];
  readonly #out = new Set<T>();
  readonly #ready: (item: T) => boolean;
  #turned = Promise.withResolvers<void>();

  /** `ready`: may it be handed out yet? It is asked again whenever an item is given back. */
  constructor(items: readonly T[], ready: (item: T) => boolean = () => true) {
    this.#waiting = [...items];
    this.#ready = ready;
  }

  /** The next item that can be done now; undefined when there is none, and none can come back. Give it back when it is done. */
  async take(): Promise<T | undefined> {
    for (;;) {
      const at = this.#next();
      const [item] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (item) {
        this.#out.add(item);
        return item;
      }
      const more = this.#waiting.length > 0
        ? this.#out.size > 0
        : [...this.#out].some((one) => one.mayReturn);
      if (!more) return undefined;
      await this.#turned.promise;
    }
  }

  #next(): number {
    const out = [...this.#out];
    if (out.some(({ alone }) => alone)) return -1;
    const held = new Set(out.flatMap(({ locks }) => locks));
    const can = (item: T) => !item.locks.some((lock) => held.has(lock)) && this.#ready(item);
    const at = this.#waiting.findIndex((item) => !item.alone && can(item));
    return at >= 0 || out.length > 0 ? at : this.#waiting.findIndex(can);
  }

  /** An item is done; `again`: what of it is to be done once more, after all others. */
  giveBack(item: T, again?: T): void {
    this.#out.delete(item);
    if (again) this.#waiting.push(again);
    this.#wake();
  }

  /** Takes away what nobody has taken yet, and answers it. */
  drain(which: (item: T) => boolean = () => true): T[] {
    const left = this.#waiting.filter(which);
    const kept = this.#waiting.filter((item) => !left.includes(item));
    this.#waiting.splice(0, Infinity, ...kept);
    this.#wake();
    return left;
  }

  #wake(): void {
    this.#turned.resolve();
    this.#turned = Promise.withResolvers();
  }
}
