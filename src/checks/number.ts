import { withoutMarks } from "../base/text-marks.ts";

/** A number that a text shows: `42 %`, `1 234.5 MB`, `-3`. */
export interface Quantity {
  readonly value: number;
  /** What stands around it, without spaces: "%", "MB", "€"; "" when nothing does. */
  readonly unit: string;
}

/** Characters of a text that can be a number. */
const MOST = 60;
const SHAPE =
  /^([+\-\u2212]?)\s*(\p{Sc}?)\s*(\d[\d.,'’\u00a0\u202f\u2009 ]*|\.\d+)\s*([\p{L}%‰°\p{Sc}][\p{L}%‰°²³/·]*)?$/u;

/**
 * The one number of a text, with its unit; a text instead: why it has none, as the end of a sentence. A point parts the
 * decimals; a comma does where it cannot part thousands, or where points do; `1,234` could be either and is refused.
 *
 * @example
 * ```ts
 * import { readQuantity } from "./number.ts";
 * const read = readQuantity("42 %");
 * if (typeof read === "string" || read.value !== 42 || read.unit !== "%") throw new Error();
 * if (readQuantity("1,234") !== 'the comma of "1,234" may part decimals or thousands') throw new Error();
 * ```
 */
export function readQuantity(text: string): Quantity | string {
  const trimmed = withoutMarks(text).trim();
  const shown = JSON.stringify(trimmed.length > MOST ? `${trimmed.slice(0, MOST)}…` : trimmed);
  if (trimmed === "") return "it is empty, which is no number";
  const [, sign, before = "", digits, after = ""] = trimmed.length > MOST ? [] : SHAPE.exec(trimmed) ?? [];
  if (digits === undefined) return `${shown} is no number`;
  const plain = plainDigits(digits.trim());
  if (plain === undefined) return `the comma of ${shown} may part decimals or thousands`;
  const value = Number(plain);
  if (Number.isNaN(value)) return `${shown} is no number`;
  return { value: sign === "" || sign === "+" ? value : -value, unit: before + after };
}

const SPACED = /^\d{1,3}([ '’\u00a0\u202f\u2009])\d{3}(?:\1\d{3})*(?:[.,]\d*)?$/u;

/** Digits with a point at most; undefined: it could be two numbers; "NaN": none. */
function plainDigits(written: string): string | undefined {
  const digits = SPACED.test(written) ? written.replace(/[ '’\u00a0\u202f\u2009]/gu, "") : written;
  if (/^(\d*\.\d+|\d+\.?)$/.test(digits)) return digits;
  if (/^\d{1,3}(,\d{3})+\.\d*$/.test(digits) || /^\d{1,3}(,\d{3}){2,}$/.test(digits)) {
    return digits.replaceAll(",", "");
  }
  if (/^\d{1,3}(\.\d{3})+,\d*$/.test(digits) || /^\d{1,3}(\.\d{3}){2,}$/.test(digits)) {
    return digits.replaceAll(".", "").replace(",", ".");
  }
  if (!/^\d+,\d+$/.test(digits)) return "NaN";
  return /^[1-9]\d{0,2},\d{3}$/.test(digits) ? undefined : digits.replace(",", ".");
}
