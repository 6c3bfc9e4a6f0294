/** Paints text for a terminal; the plain one returns it as it is. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly accent: (text: string) => string;
}

const same = (text: string) => text;
const paint = (on: number, off: number) => (text: string) => `\x1b[${on}m${text}\x1b[${off}m`;

/** No colour. */
export const PLAIN: Style = { bold: same, dim: same, good: same, bad: same, warn: same, accent: same };

/** Colour by the terminal's own palette, so that it follows the user's theme. */
export const COLOUR: Style = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  good: paint(32, 39),
  bad: paint(31, 39),
  warn: paint(33, 39),
  accent: paint(36, 39),
};

/** What steers a terminal or turns text round: C0 but line break and tab, DEL, C1, and the controls of direction. */
const CONTROLS = "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";
const CONTROL = new RegExp(`[${CONTROLS}]`, "g");
/** The same, and before it what `COLOUR` paints with. */
const PAINT_OR_CONTROL = new RegExp(`\\x1b\\[(?:1|2|22|31|32|33|36|39)m|[${CONTROLS}]`, "g");
/** A live line begins with this: the one before it is cleared. */
export const CLEAR_LINE = "\r\x1b[K";
const ESCAPE = "\x1b";
/** A live block begins with this: the one before it is cleared, from the line so many above on. */
const CLEAR_LINES = new RegExp(`^\\r${ESCAPE}\\[\\d{1,3}A${ESCAPE}\\[J`);

/** What clears this line and so many above it. */
export function clearLines(above: number): string {
  return `\r\x1b[${Math.min(999, above)}A\x1b[J`;
}

/**
 * Text from an application or a file, made harmless for a terminal: control characters (escape sequences above all)
 * become visible escapes.
 */
export function harmless(text: string): string {
  return text.replace(CONTROL, visible);
}

/**
 * What is about to be written to a terminal: of control characters only our own paint passes, and the clearing of a live
 * line where it stands first. Every other one becomes a visible escape, whoever forgot `harmless` on the way here.
 *
 * @example
 * ```ts
 * import { COLOUR, forTerminal } from "./style.ts";
 * const text = forTerminal(COLOUR.bad("a\x1b]0;title\x07b"));
 * if (text !== "\x1b[31ma\\u{1b}]0;title\\u{7}b\x1b[39m") throw new Error(text);
 * ```
 */
export function forTerminal(text: string): string {
  const [block = ""] = CLEAR_LINES.exec(text) ?? [];
  if (block !== "") return block + forTerminal(text.slice(block.length));
  if (text.startsWith(CLEAR_LINE)) return CLEAR_LINE + forTerminal(text.slice(CLEAR_LINE.length));
  return text.replace(PAINT_OR_CONTROL, (found) => found.length > 1 ? found : visible(found));
}

/** JSON in which no control character stands as itself: a terminal that shows it is not steered, and it reads the same. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? "null";
  return text.replace(CONTROL, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function visible(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;
}

/** The same for what must stay on one line: line breaks and tabs are escaped too, so that no text makes up lines. */
export function oneLine(text: string): string {
  return harmless(text.replaceAll("\n", "\\n").replaceAll("\t", "\\t"));
}

/** "312 ms", "4.2 s", "1 min 3 s", "2 h 5 min", "3 days". */
export function duration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / 1_000);
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / (24 * 60))} days`;
}

/** "1 step", "3 steps". */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
