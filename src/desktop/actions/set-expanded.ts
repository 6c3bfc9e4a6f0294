import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { isWeb } from "../toolkits.ts";
import type { Done } from "./attempts.ts";
import { chooseItem } from "./choose.ts";
import { expand } from "./expand.ts";
import { isIn } from "./label.ts";
import { applicationOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { until } from "./read-back.ts";

/** Opens or closes an expander, a menu, a row of a tree, which is chosen first where that gives it the keyboard. */
export function setExpanded(
  desktop: Desktop,
  element: ElementRef,
  want: boolean,
  deadline: Deadline,
): Promise<Done> {
  return expand(desktop, element, want, deadline, goTo);
}

/** Gives a row the keyboard: what is selected need not be where the keys go to. */
async function goTo(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<void> {
  const focused = (now: Reading) => isIn(now, "focused");
  if (isWeb(await applicationOf(desktop, element, deadline))) {
    if (isIn(await desktop.read(element, deadline.call()), "focusable")) {
      await desktop.act(element, { do: "focus" }, deadline.call());
      if ((await until(desktop, element, focused, deadline)).held) return;
    }
  } else {
    await chooseItem(desktop, element, deadline);
    if (focused(await desktop.read(element, deadline.call()))) return;
  }
  await clickOn(desktop, element, deadline);
  await until(desktop, element, focused, deadline);
}
