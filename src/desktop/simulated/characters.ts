// Positions count Unicode characters, strings count UTF-16 units: the same thing unless a surrogate is present.
// deno-lint-ignore no-control-regex
const PLAIN = /^[\u0000-\ud7ff\ue000-\uffff]*$/;

/** How many characters a text has. */
export function lengthOf(text: string): number {
  return PLAIN.test(text) ? text.length : [...text].length;
}

/** The characters from `start` up to `end`. */
export function cut(text: string, start: number, end?: number): string {
  return PLAIN.test(text) ? text.slice(start, end) : [...text].slice(start, end).join("");
}

/** The text with the characters from `start` to `end` replaced. */
export function splice(text: string, start: number, end: number, by: string): string {
  return cut(text, 0, start) + by + cut(text, end);
}
