import { toBackstepError } from "../../base/error.ts";
import type { Desktop, ReadCall } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { isIn } from "./label.ts";

/** Does an element itself say that it has the focus? What is gone has not. */
export async function hasFocus(desktop: Desktop, element: ElementRef, call: ReadCall): Promise<boolean> {
  try {
    if (desktop.statesOf) {
      const [now] = await desktop.statesOf([element], call);
      return now !== undefined && isIn(now, "focused");
    }
    const now = await desktop.verify?.(element, call);
    return now?.has(0, "focused") === true;
  } catch (thrown) {
    if (toBackstepError(thrown).code !== "stale") throw thrown;
    return false;
  }
}
