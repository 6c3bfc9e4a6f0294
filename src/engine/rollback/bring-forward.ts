import type { Deadline } from "../../base/call.ts";
import { raiseWindow } from "../../desktop/actions/window.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import type { LeftStanding } from "../model/left-standing.ts";

/**
 * Brings the window to the front that had the keyboard when a step was over: the keys of its undo are meant for that one, and
 * what was undone since may have been in another. Answers whether it had to be raised. In the background nothing is, as nothing
 * took the keyboard from it.
 */
export async function bringForward(
  { front }: LeftStanding,
  desktop: Desktop,
  deadline: Deadline,
): Promise<boolean> {
  if (front === undefined || desktop.mode === "background") return false;
  return await raiseWindow(desktop, front, deadline);
}
