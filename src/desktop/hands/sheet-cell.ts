import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, ElementRef, Reading } from "../desktop.ts";
import { Role } from "../roles.ts";
import type { Attempts, Done } from "./attempts.ts";
import { focus } from "./focus.ts";
import { watchUntil } from "./read-back.ts";

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
function holds(reading: Reading, typed: string): boolean {
  if (reading.text === typed || sourceOf(reading) === typed) return true;
  if (typed.startsWith("'") && reading.text === typed.slice(1)) return true;
  const number = typed.trim() === "" ? NaN : Number(typed);
  return reading.value?.current === number && reading.text !== "";
}

/**
 * Writes a cell of a spreadsheet: the cursor goes there (Component.GrabFocus), what is typed replaces the content, Delete
 * takes away what the application would complete it to, Return enters it, and the cursor comes back. `verified` is false
 * where the cell shows neither what was typed nor what was there before: a date, say.
 */
export async function setCell(
  desktop: Desktop,
  element: ElementRef,
  text: string,
  before: Reading,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done> {
  if (/[\n\r\t]/.test(text)) {
    throw new BackstepError("unsupported", `Cannot ${attempts.doing}: a line break or a tab would leave the cell`);
  }
  if (!desktop.capabilities.input) {
    throw new BackstepError("unsupported", `Cannot ${attempts.doing}: this desktop has no keyboard`);
  }
  let last: Reading = before;
  const typed = await attempts.attempt("XTEST keys", async () => {
    await focus(desktop, element, deadline);
    // Delete would empty whatever else is selected; typing replaces the one cell.
    await desktop.typeText(text === "" ? "x" : text, deadline.call());
    await desktop.pressKeys([text === "" ? "BackSpace" : "Delete"], deadline.call());
    await desktop.pressKeys(["Return"], deadline.call());
    const read = () => desktop.read(element, deadline.call());
    const changed = (now: Reading) => holds(now, text) || sourceOf(now) !== sourceOf(before);
    const seen = await watchUntil(desktop, read, changed, deadline, element.bus);
    last = seen.last;
    await desktop.act(element, { do: "focus" }, deadline.call());
    return seen.held;
  });
  if (typed === undefined) throw attempts.failure("The sheet may be protected; look with `tree`.");
  return { ...typed, verified: holds(last, text) };
}
