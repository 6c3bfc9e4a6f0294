import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { requireInput } from "../mode.ts";
import type { Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { label } from "./label.ts";
import { pointOf } from "./point.ts";
import { sendPointer } from "./send-pointer.ts";

/**
 * Rests the pointer on an element, as `pointOf` reaches it, and presses nothing. It comes from one pixel beside: toolkits show
 * a tooltip where the pointer was seen to move. What that shows is for the caller to wait for.
 */
export async function hover(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<Done> {
  const doing = `rest the pointer on ${label(element)}`;
  requireInput(desktop, doing, "pointer");
  const { x, y } = await pointOf(desktop, element, deadline);
  await sendPointer(desktop, { do: "move", x: Math.max(0, x - 1), y }, doing, deadline);
  await sendPointer(desktop, { do: "move", x, y }, doing, deadline);
  return { method: inputMethod(desktop, "pointer move"), verified: false, tried: [] };
}
