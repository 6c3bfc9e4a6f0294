/** Unicode's Bidi_Control characters, the soft hyphen and the space of no width. */
const MARK = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const MARKS = new RegExp(MARK, "g");

/** Has a text marks that are not seen: in which direction a part of it runs, and where it may be broken? */
export function hasMarks(text: string): boolean {
  return MARK.test(text);
}

/**
 * A text without the marks that say in which direction a part of it runs, and where it may be broken. Applications put them
 * around what they insert: GnuCash around amounts.
 *
 * @example
 * ```ts
 * import { withoutMarks } from "./text-marks.ts";
 * if (withoutMarks("\u2066$0.00\u2069") !== "$0.00") throw new Error();
 * ```
 */
export function withoutMarks(text: string): string {
  return hasMarks(text) ? text.replace(MARKS, "") : text;
}
