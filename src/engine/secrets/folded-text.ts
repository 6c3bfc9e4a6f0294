/** A text as it is searched: case, composition and invisible characters make no difference. */
export interface Folded {
  /** The letters that are compared. */
  readonly text: string;
  /** By letter, where in the text it begins. */
  readonly begins: readonly number[];
  /** By letter, where it ends: with the marks and the invisible characters that follow it. */
  readonly ends: readonly number[];
}

/** Separators in a row that still count as grouping: "4111 – 1111"; more are a gap between two things. */
const MOST_SEPARATORS = 3;
/** Stands for such a gap; no text that is searched for holds it. */
const GAP = "\0";

const UNSEEN = /[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const UNSEEN_ONE = /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Cf}]$/u;
/** What applications group with: spaces, line breaks, dashes, dots, commas, apostrophes, slashes, colons, brackets. */
const SEPARATOR = /^[\p{Z}\p{Pd}\p{Pc}\p{Cc}.,:;'’‘`´·•‧∙⋅/()\u2212\u2800\u30fb\u066b\u066c]$/u;

/** Folded code points, each worked out once. */
const FOLDED = new Map<string, string>();
const MOST_FOLDED = 10_000;

/**
 * One character as it is compared: compatibility forms taken apart, marks and invisible characters left out, and case
 * away. Lower, upper, lower: "ẞ", "ß" and "SS" become one, and so do "İ", "I", "ı" and "i".
 */
function foldOne(character: string): string {
  const existing = FOLDED.get(character);
  if (existing !== undefined) return existing;
  const bare = character.normalize("NFKD").replace(UNSEEN, "");
  const folded = bare.toLowerCase().toUpperCase().toLowerCase().normalize("NFKD").replace(UNSEEN, "")
    .replaceAll("ς", "σ");
  if (FOLDED.size < MOST_FOLDED) FOLDED.set(character, folded);
  return folded;
}

/** Folds a text and keeps where each letter stood, so that exactly that can be hidden. */
export function fold(text: string): Folded {
  return scan(text, false);
}

/** The same without separators, as `groupless` has it: "4 711" and "47-11" become one. */
export function foldGrouped(text: string): Folded {
  return scan(text, true);
}

/** What stands for a text among the folded. */
export function foldedText(text: string): string {
  return fold(text).text;
}

/** A secret without its separators. */
export function groupless(text: string): string {
  return foldGrouped(text).text.replaceAll(GAP, "");
}

function scan(text: string, grouped: boolean): Folded {
  let folded = "";
  const begins: number[] = [];
  const ends: number[] = [];
  let separators = 0;
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    const letters = foldOne(character);
    if (letters === "") {
      // A mark belongs to the letter before it.
      if (ends.length > 0 && separators === 0 && UNSEEN_ONE.test(character)) ends[ends.length - 1] = end;
    } else if (grouped && SEPARATOR.test(letters)) {
      separators++;
      if (separators === MOST_SEPARATORS + 1) {
        folded += GAP;
        begins.push(at);
        ends.push(end);
      }
    } else {
      separators = 0;
      folded += letters;
      for (let i = 0; i < letters.length; i++) {
        begins.push(at);
        ends.push(end);
      }
    }
    at = end;
  }
  return { text: folded, begins, ends };
}

/** What is searched for, prepared once. */
export interface Pattern {
  readonly text: string;
  /** By letter: how many letters of the beginning the text up to here ends with (Knuth, Morris and Pratt). */
  readonly back: readonly number[];
  /** How many letters of its beginning are hidden where a text was cut within it. */
  readonly telling: number;
  /** Only as a word of its own: no letter or digit stands beside it. */
  readonly apart: boolean;
}

export function patternOf(text: string, telling: number, apart = false): Pattern {
  const back: number[] = [0];
  for (let i = 1, length = 0; i < text.length; i++) {
    while (length > 0 && text[i] !== text[length]) length = back[length - 1] ?? 0;
    if (text[i] === text[length]) length++;
    back.push(length);
  }
  return { text, back, telling, apart };
}

/** From where to where, in the text as it was. */
export type Span = readonly [begin: number, end: number];

const WORD = /[\p{L}\p{N}]/u;

/**
 * Where a text holds a pattern, or ends within it at one of the cuts (offsets into the text as it was). Takes time in
 * proportion to the text, whatever the pattern.
 */
export function spansOf({ text, begins, ends }: Folded, pattern: Pattern, cuts: readonly number[]): Span[] {
  // Most texts hold not even the beginning.
  if (!text.includes(pattern.text.slice(0, Math.min(pattern.telling, pattern.text.length)))) return [];
  const spans: Span[] = [];
  const length = pattern.text.length;
  let existing = 0;
  let cut = 0;
  const place = (from: number, to: number): Span => [begins[from] ?? 0, ends[to] ?? 0];
  for (let i = 0; i < text.length; i++) {
    while (existing > 0 && text[i] !== pattern.text[existing]) existing = pattern.back[existing - 1] ?? 0;
    if (text[i] === pattern.text[existing]) existing++;
    const end = ends[i] ?? 0;
    while (cut < cuts.length && (cuts[cut] ?? 0) < end) cut++;
    const here = existing;
    if (existing === length) {
      const from = i - length + 1;
      const bounded = !pattern.apart ||
        !(from > 0 && ends[from - 1] === begins[from] && WORD.test(text[from - 1] ?? "")) &&
          !(begins[i + 1] === end && WORD.test(text[i + 1] ?? ""));
      if (bounded) spans.push(place(from, i));
      existing = pattern.back[length - 1] ?? 0;
    }
    const isCut = cut < cuts.length && (cuts[cut] ?? 0) <= (begins[i + 1] ?? Infinity);
    if (isCut && here >= pattern.telling && here < length) spans.push(place(i - here + 1, i));
  }
  return spans;
}

/** Spans in order, those that overlap as one. */
export function joined(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort(([a], [b]) => a - b);
  const found: Span[] = [];
  for (const [begin, end] of sorted) {
    const last = found.at(-1);
    if (last && begin < last[1]) found[found.length - 1] = [last[0], Math.max(last[1], end)];
    else found.push([begin, end]);
  }
  return found;
}
