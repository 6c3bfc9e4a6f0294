import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { Interface } from "../interfaces.ts";
import { isGtk4 } from "../toolkits.ts";
import { Attempts, type Done } from "./attempts.ts";
import { focus } from "./focus.ts";
import { inputMethod } from "./input-method.ts";
import { hasLines, implementsAll, isIn, label } from "./label.ts";
import { applicationOf } from "./place.ts";
import { until } from "./read-back.ts";
import { isSecure } from "./set-text.ts";
import { toEnd } from "./shortcuts.ts";

/** Keys pressed at most to walk to a place in a text and along a range of it. */
const MOST_KEYS = 400;

/**
 * Selects the characters from `start` to before `end` of a text; nothing when both are the same, which places the caret
 * there. Text.SetSelection, else the arrow keys with Shift (Chromium's fields). Reads back that these are selected.
 * Errors: `invalid` beyond the text's end, `secure` for a password field, whose content is never read.
 */
export async function selectText(
  desktop: Desktop,
  element: ElementRef,
  start: number,
  end: number,
  deadline: Deadline,
): Promise<Done> {
  const before = await desktop.read(element, deadline.call());
  const attempts = new Attempts(`select characters ${start} to ${end} of ${label(element, before)}`);
  const length = [...requireText(before, attempts.doing)].length;
  if (start > end || end > length) {
    throw new BackstepError("invalid", `Cannot ${attempts.doing}: it has ${length}`, { details: { length } });
  }
  const there = (now: Reading) => isSelected(now, start, end);
  if (there(before)) return attempts.done("none", true);
  const application = await applicationOf(desktop, element, deadline);
  if (isGtk4(application) && isIn(before, "multiLine") && start !== end) {
    attempts.refuse(
      "Text.SetSelection",
      "unsupported",
      "GTK 4.8 never answers that for a text of several lines",
    );
  } else if (implementsAll(before, Interface.text)) {
    const action = start === end
      ? { do: "caret", at: start } as const
      : { do: "selectText", start, end } as const;
    const method = start === end ? "Text.SetCaretOffset" : "Text.SetSelection";
    const set = await attempts.attempt(method, async () => {
      await desktop.act(element, action, deadline.call());
      return (await until(desktop, element, there, deadline)).held;
    });
    if (set) return set;
  }
  const keyed = await attempts.attempt(inputMethod(desktop, "keys"), async () => {
    if (end > MOST_KEYS) {
      throw new BackstepError("unsupported", `Cannot ${attempts.doing}: it is too far for the arrow keys`);
    }
    await focus(desktop, element, deadline);
    const top = toEnd(desktop, "start", hasLines(before));
    await desktop.pressKeys(top, deadline.call());
    for (let k = 0; k < start; k++) await desktop.pressKeys(["Right"], deadline.call());
    for (let k = start; k < end; k++) await desktop.pressKeys(["shift", "Right"], deadline.call());
    return (await until(desktop, element, there, deadline)).held;
  });
  if (keyed) return keyed;
  throw attempts.failure("It may be no text that can be selected; press shift with the arrow keys in it.");
}

/** Where a text begins in what an element holds, in characters. Errors: `not_found`, `ambiguous`. */
export function findText(
  reading: Reading,
  text: string,
  doing: string,
): readonly [start: number, end: number] {
  const whole = requireText(reading, doing);
  const at = whole.indexOf(text);
  if (at < 0) {
    throw new BackstepError(
      "not_found",
      `Cannot ${doing}: it does not hold ${JSON.stringify(text.slice(0, 60))}`,
      {
        details: { text: whole.slice(0, 500) },
      },
    );
  }
  if (whole.indexOf(text, at + 1) >= 0) {
    throw new BackstepError(
      "ambiguous",
      `Cannot ${doing}: it holds ${JSON.stringify(text.slice(0, 60))} more than once`,
      { hint: "Choose one with `start` and `end`." },
    );
  }
  const start = [...whole.slice(0, at)].length;
  return [start, start + [...text].length];
}

function requireText(reading: Reading, doing: string): string {
  if (isSecure(reading)) {
    throw new BackstepError("secure", `Cannot ${doing}: the content of a password field is never read`);
  }
  if (reading.text === undefined) throw new BackstepError("unsupported", `Cannot ${doing}: it has no text`);
  return reading.text;
}

function isSelected(now: Reading, start: number, end: number): boolean {
  const selected = now.textSelection;
  if (start === end) {
    return now.caret === start && (selected === undefined || selected[0] === selected[1]);
  }
  return selected !== undefined && Math.min(...selected) === start && Math.max(...selected) === end;
}
