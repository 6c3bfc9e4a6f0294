import type { Reading } from "../element.ts";
import { Role } from "../roles.ts";

/** What would be read as a number, a date or a time. */
const NUMERIC = /^[-+]?[\d.,:/%\s$€£-]*[1-9][\d.,:/%\s$€£-]*$/;

/** Is it a cell of a spreadsheet (LibreOffice Calc)? Its cells tell a formula, if only an empty one. */
export function isSheetCell(reading: Reading): boolean {
  return reading.role === Role.tableCell && reading.attributes["Formula"] !== undefined;
}

/**
 * What would have to be typed to get what a cell holds: its formula, its number in full where fewer digits are shown, its
 * text; a text that looks like a number with the apostrophe that keeps it one.
 */
export function sourceOf(reading: Reading): string | undefined {
  const { text, value } = reading;
  const formula = reading.attributes["Formula"] ?? "";
  if (formula !== "") return formula.startsWith("=") ? formula : `=${formula}`;
  if (text === undefined || value === undefined || text === "") return text;
  if (value.current === 0) return NUMERIC.test(text) || text.startsWith("=") ? `'${text}` : text;
  const shown = Number(text);
  return Number.isFinite(shown) && shown !== value.current ? String(value.current) : text;
}

/** Does a cell hold what was typed, as a spreadsheet takes it: `1.50` as 1.5, a formula as its result? */
export function holdsSource(reading: Reading, typed: string): boolean {
  if (reading.text === typed || sourceOf(reading) === typed) return true;
  if (typed.startsWith("'") && reading.text === typed.slice(1)) return true;
  const number = typed.trim() === "" ? NaN : Number(typed);
  return reading.value?.current === number && reading.text !== "";
}
