import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, Window, WindowAction } from "../desktop.ts";
import { Attempts, type Done } from "./attempts.ts";
import { letAppear } from "./let-appear.ts";
import { watchUntil } from "./read-back.ts";

/** What asks the window manager for each, as the Extended Window Manager Hints and ICCCM call it. */
const METHODS: Readonly<Record<WindowAction["do"], string>> = {
  activate: "_NET_ACTIVE_WINDOW",
  close: "_NET_CLOSE_WINDOW",
  minimise: "WM_CHANGE_STATE",
  restore: "_NET_ACTIVE_WINDOW",
  place: "_NET_MOVERESIZE_WINDOW",
};

/**
 * Does something to a window through the window manager and reads it back from the list of windows. Errors: `stale` when
 * it is gone, `no_effect` when the window manager or the application did otherwise.
 */
export async function changeWindow(
  desktop: Desktop,
  window: Window,
  action: WindowAction,
  deadline: Deadline,
): Promise<Done> {
  const attempts = new Attempts(`${action.do} window ${JSON.stringify(window.title.slice(0, 60))}`);
  const look = async () => (await desktop.windows(deadline.call())).find((one) => one.id === window.id);
  const found = await look();
  if (found && action.do === "place") await letAppear(found, deadline);
  const before = action.do === "place" ? await look() : found;
  if (before === undefined) throw new BackstepError("stale", `Cannot ${attempts.doing}: it is closed`);
  if (isSo(before, action)) return attempts.done("none", true);
  const done = await attempts.attempt(METHODS[action.do], async () => {
    await desktop.window(window.id, action, deadline.call());
    return (await watchUntil(desktop, look, (now) => isSo(now, action), deadline)).held;
  });
  if (done) return done;
  throw attempts.failure(
    action.do === "close"
      ? "It may ask something first: look for a dialog."
      : "The window may not allow it: a fixed size, or a place off the screen.",
  );
}

function isSo(now: Window | undefined, action: WindowAction): boolean {
  if (now === undefined) return action.do === "close";
  switch (action.do) {
    case "activate":
      return now.active;
    case "close":
      return false;
    case "minimise":
      return now.minimised;
    case "restore":
      return !now.minimised;
    case "place":
      return (["x", "y", "width", "height"] as const).every((side) =>
        action[side] === undefined || Math.abs(action[side] - now.rect[side]) <= 1
      );
  }
}
