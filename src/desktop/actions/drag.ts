import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Desktop, Gesture } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { label } from "./label.ts";
import type { Point } from "../rect.ts";
import { pointOf } from "./point.ts";
import { sendPointer } from "./send-pointer.ts";

/**
 * Drags with the left button from the middle of one element, or a place of the screen, to another; elements are scrolled
 * into view where that goes. What it did is for the caller to read. Errors: `not_actionable` when both cannot be seen at once.
 */
export async function dragTo(
  desktop: Desktop,
  from: ElementRef | Point,
  to: ElementRef | Point,
  duration: number,
  deadline: Deadline,
): Promise<Done> {
  const attempts = new Attempts(`drag ${nameOf(from)} onto ${nameOf(to)}`);
  if (!desktop.capabilities.input) {
    throw new BackstepError("unsupported", `Cannot ${attempts.doing}: this desktop has no pointer`);
  }
  const target = await placeOf(desktop, to, deadline);
  const gesture = (start: Point, { x: toX, y: toY }: Point): Gesture => {
    return { do: "drag", ...start, toX, toY, button: "left", duration };
  };
  const start = await placeOf(desktop, from, deadline, (start) => gesture(start, target));
  const end = await placeOf(desktop, to, deadline);
  if (target.x !== end.x || target.y !== end.y) {
    const again = await placeOf(desktop, from, deadline);
    if (again.x !== start.x || again.y !== start.y) {
      throw new BackstepError("not_actionable", `Cannot ${attempts.doing}: not both can be seen at once`, {
        hint: "Make the window larger, or drag in two steps.",
      });
    }
  }
  await sendPointer(desktop, gesture(start, end), attempts.doing, deadline);
  return attempts.done(inputMethod(desktop, "drag"), false);
}

function nameOf(end: ElementRef | Point): string {
  return "path" in end ? label(end) : `${end.x}, ${end.y}`;
}

async function placeOf(
  desktop: Desktop,
  end: ElementRef | Point,
  deadline: Deadline,
  gesture?: (point: Point) => Gesture,
): Promise<Point> {
  return "path" in end ? await pointOf(desktop, end, deadline, defined({ gesture })) : end;
}
