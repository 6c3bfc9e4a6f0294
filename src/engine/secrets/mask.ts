import type { Json } from "../../base/error.ts";
import { isList } from "../../base/json.ts";
import {
  fold,
  foldedText,
  foldGrouped,
  groupless,
  joined,
  type Pattern,
  patternOf,
  type Span,
  spansOf,
} from "./folded-text.ts";

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

/** Letters below which a secret is hidden only where it is the whole text. */
const SEARCHED = 3;
/** Letters and digits from which grouping makes no difference: with a digit in it, and without. */
const GROUPED = { digits: 4, letters: 6 };
/** Characters of a secret's beginning that are hidden where a text was cut within it, and of one that is grouped. */
const TELLING = 4, TELLING_GROUPED = 6;
/** The same of what an application made of a secret; and below how many letters it must stand apart to be hidden. */
const TELLING_DERIVED = 8, APART = 6;
/** A number that holds at least so many letters of a secret is hidden, too; shorter ones where they are all of it. */
const IN_NUMBERS = 6;

/**
 * Hides secrets in everything that is shown or written down, however an application writes them: case, composition,
 * compatibility forms, accents and invisible characters make no difference. Grouping (spaces, dashes, dots, commas…, three
 * in a row at most) makes none to a secret of 6 letters, or of 4 where a digit is among them: an ordinary word would be
 * found across others. A secret of fewer than 3 letters is hidden only where it is the whole text.
 *
 * @example
 * ```ts
 * import { Mask } from "./mask.ts";
 * const mask = new Mask(["hunter2-4711"]);
 * if (mask.text("Token: HUNTER2 4711!") !== "Token: ••••••!") throw new Error();
 * ```
 */
export class Mask {
  readonly #strict: Pattern[] = [];
  readonly #grouped: Pattern[] = [];
  /** What is hidden where it is a whole text, folded. */
  readonly #whole = new Set<string>();
  /** What is hidden where it is a whole number, without separators. */
  readonly #numbers = new Set<string>();
  /** Secrets that folding leaves nothing of: as they are. */
  readonly #literal: string[] = [];
  readonly #last = new Set<string>();

  constructor(values: Iterable<string>) {
    for (const value of values) if (value !== "") this.#add(value);
  }

  /** There is nothing to hide. */
  get empty(): boolean {
    return this.#last.size === 0;
  }

  /**
   * What an application made of a secret (a label that shows its end, a field that turns it round) is hidden from now on
   * as well: where it is the whole text, and from 3 letters wherever it stands.
   */
  learn(text: string): void {
    const folded = foldedText(text).trim();
    const key = `derived ${folded}`;
    if (folded === "" || this.#last.has(key)) return;
    this.#last.add(key);
    this.#whole.add(folded);
    if (folded.length < SEARCHED) return;
    this.#numbers.add(groupless(text));
    this.#strict.push(patternOf(folded, TELLING_DERIVED, folded.length < APART));
  }

  #add(value: string): void {
    if (this.#last.has(value)) return;
    this.#last.add(value);
    const whole = foldedText(value);
    const bare = groupless(value);
    this.#whole.add(whole.trim());
    if (bare !== "") this.#numbers.add(bare);
    if (whole.length < SEARCHED) {
      if (value.length >= SEARCHED) this.#literal.push(value);
      return;
    }
    const forms = new Set([...formsOf(value)].map(foldedText));
    for (const form of forms) {
      if (form.length >= SEARCHED) this.#strict.push(patternOf(form, TELLING));
    }
    const enough = /\p{N}/u.test(bare) ? GROUPED.digits : GROUPED.letters;
    if (bare.length >= enough) this.#grouped.push(patternOf(bare, TELLING_GROUPED));
  }

  text(text: string): string {
    if (this.empty || text === "") return text;
    const strict = fold(text);
    if (this.#whole.has(strict.text.trim()) && text.trim() !== "") return MASK;
    const cuts = [...text.matchAll(CUTS)].map(({ index }) => index);
    const spans = this.#strict.flatMap((pattern) => spansOf(strict, pattern, cuts));
    if (this.#grouped.length > 0) {
      const grouped = foldGrouped(text);
      for (const pattern of this.#grouped) spans.push(...spansOf(grouped, pattern, cuts));
    }
    return this.#literal.reduce((all, one) => all.replaceAll(one, MASK), replaced(text, spans));
  }

  /**
   * The same value with every string in it masked, and in what comes from files and applications every key, and every
   * number that is written as a secret is.
   */
  json(value: Json): Json {
    return this.empty ? value : this.#hide(value, "ours");
  }

  /** Anything that JSON can hold, masked, keeping its type: events and results pass through here. */
  apply<T>(value: T): T {
    if (this.empty) return value;
    const json: Json = JSON.parse(JSON.stringify(value));
    return JSON.parse(JSON.stringify(this.#hide(json, "ours")));
  }

  #hide(value: Json, words: Words): Json {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return words !== "ours" && this.#tells(value) ? MASK : value;
    if (value === null || typeof value !== "object") return value;
    if (isList(value)) return value.map((item) => this.#hide(item, words));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const below = words === "data" || DATA.has(key) ? "data" : STATES.has(key) ? "state" : words;
        return [words === "data" ? this.text(key) : key, this.#hide(item, below)];
      }),
    );
  }

  #tells(value: number): boolean {
    const digits = groupless(String(value));
    if (this.#numbers.has(digits)) return true;
    return [...this.#numbers].some((one) => one.length >= IN_NUMBERS && digits.includes(one));
  }
}

function replaced(text: string, spans: readonly Span[]): string {
  let masked = "";
  let from = 0;
  for (const [begin, end] of joined(spans)) {
    masked += text.slice(from, begin) + MASK;
    from = end;
  }
  return masked + text.slice(from);
}

/** How texts say that they were cut; the end of a text may be a cut too. */
const CUTS = /…|\.\.\.|$/g;

/** A secret as it stands in plain text, in quotes of JSON (messages quote what they show), and in an address. */
function formsOf(value: string): Set<string> {
  const quoted = JSON.stringify(value).slice(1, -1);
  const composed = (["NFC", "NFD", "NFKC", "NFKD"] as const).flatMap((form) => {
    const one = value.normalize(form);
    return [one, one.toUpperCase(), one.toLowerCase()];
  });
  return new Set([
    value,
    quoted,
    JSON.stringify(quoted).slice(1, -1),
    ...[value, ...composed].map(encoded),
  ]);
}

function encoded(value: string): string {
  // A lone surrogate cannot stand in an address, so that no address holds it.
  return value.isWellFormed() ? encodeURIComponent(value) : value;
}
