/** The trees of a run as lines; the same lines are kept once. */
export class Trees {
  readonly #kept: (readonly string[])[] = [];
  readonly #last = new Map<string, number>();
  readonly #most: number;
  #characters = 0;

  constructor(most = 8 * 1024 * 1024) {
    this.#most = most;
  }

  /** Keeps lines and answers their number. Past the bound only the first lines of a tree are kept, which says so. */
  add(lines: readonly string[]): number {
    const over = this.#characters > this.#most;
    const kept = over ? ["… not kept: the trees of this run are over their bound"] : lines;
    const text = kept.join("\n");
    const existing = this.#last.get(text);
    if (existing !== undefined) return existing;
    this.#characters += text.length;
    const number = this.#kept.push(kept) - 1;
    this.#last.set(text, number);
    return number;
  }

  get all(): readonly (readonly string[])[] {
    return this.#kept;
  }
}
