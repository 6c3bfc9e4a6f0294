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
    const forms = [...values].filter((value) => value !== "").flatMap(formsOf);
    // Longest first: a secret that contains another is hidden whole.
    this.#values = [...new Set(forms)].sort((a, b) => b.length - a.length);
  }

  text(text: string): string {
    let masked = text;
    for (const value of this.#values) {
      if (masked === value) return MASK;
      if (value.length >= 3 && masked.includes(value)) masked = masked.split(value).join(MASK);
    }
    for (const value of this.#values) masked = maskCut(masked, value);
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

/** A secret as it stands in plain text, in quotes of JSON (messages quote what they show), and in an address. */
function formsOf(value: string): string[] {
  const quoted = JSON.stringify(value).slice(1, -1);
  return [value, quoted, JSON.stringify(quoted).slice(1, -1), encoded(value)];
}

function encoded(value: string): string {
  // A lone surrogate cannot stand in an address, so that no address holds it.
  return value.isWellFormed() ? encodeURIComponent(value) : value;
}

/** Characters of a secret's beginning that are hidden where a text was cut within it. */
const TELLING = 4;
/** How texts say that they were cut. */
const CUTS = ["…", "..."];

/** Messages are bounded in size: the beginning of a secret may stand before the cut. */
function maskCut(text: string, value: string): string {
  for (const cut of CUTS) {
    for (let at = text.indexOf(cut); at >= 0; at = text.indexOf(cut, at + cut.length)) {
      const known = beginningAt(text, at, value);
      if (known > 0) return maskCut(text.slice(0, at - known) + MASK + text.slice(at), value);
    }
  }
  const known = beginningAt(text, text.length, value);
  return known > 0 ? text.slice(0, text.length - known) + MASK : text;
}

/** How many characters before `end` are the beginning of the secret; 0 when too few to tell anything. */
function beginningAt(text: string, end: number, value: string): number {
  for (let length = Math.min(value.length - 1, end); length >= TELLING; length--) {
    if (text.startsWith(value.slice(0, length), end - length)) return length;
  }
  return 0;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
