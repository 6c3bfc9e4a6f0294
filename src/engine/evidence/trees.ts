/** The trees of a run as lines, by number; the same lines are kept once. */
export class Trees {
  readonly #keep: (number: number, lines: readonly string[]) => void;
  readonly #last = new Map<string, number>();
  readonly #most: number;
  #characters = 0;

  constructor(keep: (number: number, lines: readonly string[]) => void, most = 8 * 1024 * 1024) {
    this.#keep = keep;
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
    const number = this.#last.size;
    this.#last.set(text, number);
    this.#keep(number, kept);
    return number;
  }
}
