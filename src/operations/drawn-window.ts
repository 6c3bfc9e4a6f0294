import type { Deadline } from "../base/call.ts";
import { type Rereads, untilDeadline } from "../desktop/actions/read-back.ts";
import type { Area, Desktop, Frame, Rect } from "../desktop/desktop.ts";
import { topWindow } from "../desktop/own-window.ts";
import { centre } from "../desktop/rect.ts";

/** Milliseconds that a window which shows one colour gets to draw something: one that has just come has drawn nothing yet. */
const FIRST = 1_000;
/** Nobody reports that something was drawn. */
const REREADS: Rereads = { first: 10, slowest: 40 };

/** Is all of a picture of one colour? */
export function isPlain({ rgba }: Frame): boolean {
  const [red, green, blue, alpha] = rgba;
  for (let at = 4; at < rgba.length; at += 4) {
    if (rgba[at] !== red || rgba[at + 1] !== green || rgba[at + 2] !== blue || rgba[at + 3] !== alpha) {
      return false;
    }
  }
  return true;
}

/**
 * Waits until the window that an area shows has drawn something, at most a second. What shows one colour in a window that has drawn
 * is not waited for. False: it had drawn already, or draws nothing.
 */
export async function letDraw(desktop: Desktop, area: Area, deadline: Deadline): Promise<boolean> {
  const windowArea = await windowOf(desktop, area, deadline);
  if (windowArea === undefined) return false;
  let looks = 0;
  const { held } = await untilDeadline(
    desktop,
    () => (looks++, desktop.screenshot(windowArea, deadline.call())),
    (frame) => !isPlain(frame),
    deadline.within(FIRST),
    undefined,
    REREADS,
  );
  return held && looks > 1;
}

/** The area of the whole window that an area shows; undefined: it shows none. */
async function windowOf(desktop: Desktop, area: Area, deadline: Deadline): Promise<Area | undefined> {
  if (area.what === "window") return area;
  if (area.what === "screen" || !desktop.capabilities.windows) return undefined;
  const { x, y } = centre(area.rect);
  const window = topWindow(await desktop.windows(deadline.call()), x, y);
  return window && { what: "rect", rect: onScreen(window.rect) };
}

/** Nothing is pictured left of the screen or above it. */
function onScreen({ x, y, width, height }: Rect): Rect {
  const left = Math.max(0, x), top = Math.max(0, y);
  return { x: left, y: top, width: Math.max(1, x + width - left), height: Math.max(1, y + height - top) };
}
