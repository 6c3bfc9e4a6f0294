import type { Json } from "../base/error.ts";

/** Stands where a secret stood. */
export const MASK = "••••••";

/**
 * Hides secrets in everything that is shown or written down. Values shorter than three characters are not searched
 * for, since they would hide ordinary text; they are masked where they are used whole.
 */
export class Mask {
  readonly #values: string[];

  constructor(values: Iterable<string>) {
    // Longest first: a secret that contains another is hidden whole.
    this.#values = [...new Set(values)].filter((v) => v !== "").sort((a, b) => b.length - a.length);
  }

  text(text: string): string {
    let masked = text;
    for (const value of this.#values) {
      if (masked === value) return MASK;
      if (value.length >= 3) masked = masked.split(value).join(MASK);
    }
    return masked;
  }

  /** The same value with every string in it masked; keys stay. */
  json(value: Json): Json {
    if (typeof value === "string") return this.text(value);
    if (value === null || typeof value !== "object") return value;
    if (isList(value)) return value.map((item) => this.json(item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.json(item)]));
  }

  /** Anything that JSON can hold, masked, keeping its type: events and results pass through here. */
  apply<T>(value: T): T {
    if (this.#values.length === 0) return value;
    return JSON.parse(
      JSON.stringify(value),
      (_key, item) => typeof item === "string" ? this.text(item) : item,
    );
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
