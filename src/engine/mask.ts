import type { Json } from "../base/error.ts";
import { isList } from "../base/json.ts";

/** Stands where a secret stood. */
export const MASK = "••••••";

/** Under these, values and keys come from files and applications; other numbers and keys are the engine's own words. */
const DATA: ReadonlySet<string> = new Set([
  "output",
  "details",
  "input",
  "inverse",
  "expected",
  "actual",
  "found",
  "left",
  "was",
]);
/** Under these, keys are names of properties, and values come from applications. */
const STATES: ReadonlySet<string> = new Set(["properties", "incidental"]);

/** Whose words a part of a result is: the engine's, a state's with our keys, or data throughout. */
type Words = "ours" | "state" | "data";

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

  /** There is nothing to hide. */
  get empty(): boolean {
    return this.#values.length === 0;
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

  /**
   * The same value with every string in it masked, and in what comes from files and applications every key, and every
   * number that is written as a secret is.
   */
  json(value: Json): Json {
    return this.#values.length === 0 ? value : this.#hide(value, "ours");
  }

  /** Anything that JSON can hold, masked, keeping its type: events and results pass through here. */
  apply<T>(value: T): T {
    if (this.#values.length === 0) return value;
    const json: Json = JSON.parse(JSON.stringify(value));
    return JSON.parse(JSON.stringify(this.#hide(json, "ours")));
  }

  #hide(value: Json, words: Words): Json {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number" && words !== "ours") {
      return this.#values.includes(String(value)) ? MASK : value;
    }
    if (value === null || typeof value !== "object") return value;
    if (isList(value)) return value.map((item) => this.#hide(item, words));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const below = words === "data" || DATA.has(key) ? "data" : STATES.has(key) ? "state" : words;
        return [words === "data" ? this.text(key) : key, this.#hide(item, below)];
      }),
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
/** How texts say that they were cut; the end of a text may be a cut too. */
const CUTS = /…|\.\.\.|$/g;

/** Messages are bounded in size: the beginning of a secret may stand before the cut. */
function maskCut(text: string, value: string): string {
  let masked = "";
  let from = 0;
  for (const { index } of text.matchAll(CUTS)) {
    const known = beginningAt(text, index, value);
    if (known === 0) continue;
    masked += text.slice(from, index - known) + MASK;
    from = index;
  }
  return masked + text.slice(from);
}

/** How many characters before `end` are the beginning of the secret; 0 when too few to tell anything. */
function beginningAt(text: string, end: number, value: string): number {
  for (let length = Math.min(value.length - 1, end); length >= TELLING; length--) {
    if (text.startsWith(value.slice(0, length), end - length)) return length;
  }
  return 0;
}
