import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { actionNamed } from "./action.ts";
import { isChosen } from "./label.ts";
import { until } from "./read-back.ts";
import { sendAndSee } from "./refused.ts";

/** How the method is called in results. */
export const TOGGLE_ITEM = "Action.DoAction(Toggle)";

/**
 * Chooses an item or lets go of it by Qt's own action for that, of which nobody hears as of a click. False: it has none,
 * or it stayed as it was, as the last chosen one of a list in which one must be.
 */
export async function toggleItem(
  desktop: Desktop,
  item: ElementRef,
  want: boolean,
  deadline: Deadline,
): Promise<boolean> {
  const reading = await desktop.read(item, deadline.call());
  if (isChosen(reading) === want) return true;
  const name = actionNamed(reading, ["toggle"]);
  if (name === undefined) return false;
  return await sendAndSee(
    () => desktop.act(item, { do: "action", name }, deadline.call()),
    async (within) => (await until(desktop, item, (now) => isChosen(now) === want, within)).held,
    deadline,
  );
}
