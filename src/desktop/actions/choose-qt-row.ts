import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import type { Attempts, Done } from "./attempts.ts";
import { isChosen, isIn } from "./label.ts";
import { until } from "./read-back.ts";
import { TOGGLE_ITEM, toggleItem } from "./toggle-item.ts";

/** What Qt's action leaves out. */
const NOT_CURRENT =
  "it is chosen and is not the current row: an application that follows the current row, as pages of " +
  "settings do, does not notice. `click` it, if it should";

/**
 * Chooses a row of a Qt view by Qt's own action, of which nobody hears as of a click, and lets go of the others that say they
 * are chosen. The current row stays where it is, which is what many applications follow: that is warned of. Undefined: it
 * did not work, which is noted.
 */
export async function chooseQtRow(
  desktop: Desktop,
  element: ElementRef,
  others: readonly ElementRef[],
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done | undefined> {
  const done = await attempts.attempt(TOGGLE_ITEM, async () => {
    if (!await toggleItem(desktop, element, true, deadline)) return false;
    for (const other of others) {
      if (!await toggleItem(desktop, other, false, deadline)) return false;
    }
    return (await until(desktop, element, isChosen, deadline)).held;
  });
  if (done === undefined || isIn(await desktop.read(element, deadline.call()), "focused")) return done;
  return { ...done, warning: NOT_CURRENT };
}
