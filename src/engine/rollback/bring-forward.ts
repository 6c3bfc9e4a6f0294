import type { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import { raiseWindow } from "../../desktop/actions/window.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import type { LeftStanding } from "../model/left-standing.ts";

/**
 * Brings the window to the front that had the keyboard when a step was over: the keys of its undo are meant for that one, and
 * what was undone since may have been in another. Where a modal dialog has taken the keyboard from it since, the keys are meant
 * for the dialog. Answers whether a window had to be raised. In the background nothing is, as nothing took the keyboard from it.
 */
export async function bringForward(
  { front }: LeftStanding,
  desktop: Desktop,
  deadline: Deadline,
): Promise<boolean> {
  if (front === undefined || desktop.mode === "background") return false;
  try {
    return await raiseWindow(desktop, front, deadline);
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code === "no_effect" && await isBehindModal(desktop, front, deadline)) return true;
    throw error;
  }
}

/** Does a modal dialog of the same program have the keyboard? A window manager raises no window that waits for one. */
async function isBehindModal(desktop: Desktop, id: number, deadline: Deadline): Promise<boolean> {
  const windows = await desktop.windows(deadline.call());
  const [own, active] = [windows.find((one) => one.id === id), windows.find((one) => one.active)];
  return own !== undefined && own.pid !== 0 && active?.modal === true && active.pid === own.pid;
}
