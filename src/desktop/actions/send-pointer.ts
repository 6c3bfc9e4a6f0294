import type { Deadline } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { Desktop, Gesture } from "../desktop.ts";

/**
 * Does a gesture of the pointer at an element. What `doing` names is in the error. Errors: `not_actionable` where the place is
 * beyond the edge of the screen, as in a window that is larger: the display refuses that before anything is sent.
 */
export async function sendPointer(
  desktop: Desktop,
  gesture: Gesture,
  doing: string,
  deadline: Deadline,
): Promise<void> {
  try {
    await desktop.pointer(gesture, deadline.call());
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code !== "invalid") throw thrown;
    // What it says of the gesture is left out: "the point 85,1363 is outside of the screen of 1280x800".
    const reason = error.message.slice(error.message.indexOf(": ") + 2);
    throw new BackstepError("not_actionable", `Cannot ${doing}: ${reason}`, {
      hint:
        "Make its window smaller, move it (window: { do: place }), or start the desktop with a larger screen.",
      details: { point: [gesture.x, gesture.y], outcome: "not_sent" },
      cause: thrown,
    });
  }
}
