import { seeded } from "../../src/base/random.ts";

/** Choices by a seed. */
export class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  /** True once in so many times. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  /** One of them. */
  of<const T extends readonly [unknown, ...unknown[]]>(choices: T): T[number] {
    return choices[this.below(choices.length)];
  }
}
