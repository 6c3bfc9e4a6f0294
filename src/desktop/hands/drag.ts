import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, ElementRef } from "../desktop.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { label } from "./label.ts";
import { pointOf } from "./point.ts";

/**
 * Drags with the left button from the middle of one element to the middle of another, both scrolled into view where that
 * goes. What it did is for the caller to read. Errors: `not_actionable` when both cannot be seen at once.
 */
export async function dragTo(
  desktop: Desktop,
  from: ElementRef,
  to: ElementRef,
  duration: number,
  deadline: Deadline,
): Promise<Done> {
  const attempts = new Attempts(`drag ${label(from)} onto ${label(to)}`);
  if (!desktop.capabilities.input) {
    throw new BackstepError("unsupported", `Cannot ${attempts.doing}: this desktop has no pointer`);
  }
  const target = await pointOf(desktop, to, deadline);
  const start = await pointOf(desktop, from, deadline);
  const end = await pointOf(desktop, to, deadline);
  if (target.x !== end.x || target.y !== end.y) {
    const again = await pointOf(desktop, from, deadline);
    if (again.x !== start.x || again.y !== start.y) {
      throw new BackstepError("not_actionable", `Cannot ${attempts.doing}: not both can be seen at once`, {
        hint: "Make the window larger, or drag in two steps.",
      });
    }
  }
  await desktop.pointer(
    { do: "drag", ...start, toX: end.x, toY: end.y, button: "left", duration },
    deadline.call(),
  );
  return attempts.done(inputMethod(desktop, "drag"), false);
}
