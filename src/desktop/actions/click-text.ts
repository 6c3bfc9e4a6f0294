import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { NEEDS_FOCUS_HINT } from "../mode.ts";
import type { Attempts, Done } from "./attempts.ts";
import { focus } from "./focus.ts";
import { inputMethod } from "./input-method.ts";
import { isIn } from "./label.ts";
import { clickOn } from "./point.ts";
import { until } from "./read-back.ts";

/**
 * Clicks a field: the pointer, which puts the caret there too, else the focus alone. Never its own action: in GTK 3
 * "activate" is what Return does, and presses the default button of a dialog. Reads back FOCUSED.
 */
export async function clickText(
  desktop: Desktop,
  element: ElementRef,
  reading: Reading,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done> {
  let seen = false;
  const clicked = await attempts.attempt(inputMethod(desktop, "click"), async () => {
    await clickOn(desktop, element, deadline);
    seen = isIn(reading, "focusable") &&
      (await until(desktop, element, (now) => isIn(now, "focused"), deadline)).held;
    return true;
  });
  if (clicked) return { ...clicked, verified: seen };
  try {
    const done = await focus(desktop, element, deadline);
    return { ...done, tried: [...attempts.tried, ...done.tried] };
  } catch (thrown) {
    if (!(thrown instanceof BackstepError) || thrown.code !== "needs_focus") throw thrown;
    throw new BackstepError(thrown.code, thrown.message, {
      hint: `\`set\` and \`type\` write into it without the focus. ${NEEDS_FOCUS_HINT}`,
      ...defined({ details: thrown.details }),
    });
  }
}
