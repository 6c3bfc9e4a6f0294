import { roleOf } from "../../desktop/roles.ts";
import { quote } from "../../desktop/quote.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";

/** Longer names change too easily to find anything by. */
const LONGEST = 80;

/**
 * Selectors that find one element each in this snapshot: by its id or its name where nothing else has it, else the how
 * manieth of those that are called the same it is.
 */
export class Addresses {
  readonly #snapshot: Snapshot;
  #index: Map<string, number[]> | undefined;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** A selector that finds this row and nothing else. */
  of(row: number): string {
    const { word } = this.#info(row);
    const id = this.#snapshot.id(row);
    if (id !== "" && this.#rows(`${word}#${id}`).length === 1) return `${word}[id=${quote(id)}]`;
    const name = this.#snapshot.name(row);
    if (name === "" && this.#rows(word).length === 1) return word;
    const named = name.length <= LONGEST && isPlain(name);
    const same = this.#rows(named ? `${word} ${name}` : word);
    const base = named ? `${word}[name=${quote(name)}]` : word;
    return same.length === 1 ? base : `${base}:nth(${same.indexOf(row) + 1})`;
  }

  #info(row: number) {
    const { snapshot } = { snapshot: this.#snapshot };
    return roleOf(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row));
  }

  #rows(key: string): number[] {
    this.#index ??= this.#build();
    return this.#index.get(key) ?? [];
  }

  #build(): Map<string, number[]> {
    const index = new Map<string, number[]>();
    const add = (key: string, row: number) => {
      const existing = index.get(key);
      if (existing === undefined) index.set(key, [row]);
      else existing.push(row);
    };
    for (let row = 0; row < this.#snapshot.size; row++) {
      const name = this.#snapshot.name(row), id = this.#snapshot.id(row);
      // An element answers to each word of its role.
      for (const word of this.#info(row).words) {
        add(word, row);
        add(`${word} ${name}`, row);
        if (id !== "") add(`${word}#${id}`, row);
      }
    }
    return index;
  }
}

/** Can a selector ask for it as it stands? */
function isPlain(name: string): boolean {
  return name === name.trim() && !/[\p{Cc}\p{Surrogate}]/u.test(name);
}
