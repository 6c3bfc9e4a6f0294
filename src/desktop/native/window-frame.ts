import { BackstepError } from "../../base/error.ts";
import type { Frame } from "../desktop.ts";
import type { Rect } from "../element.ts";
import type { NativeWindow } from "./replies.ts";

/**
 * The part of the screen that shows a window, for compositors that picture outputs alone: sway 1.7 does. Throws `stale` where the
 * window is gone, `unsupported` where another window lies over it or it is not shown: what is there is not its own.
 * `windows` bottom to top.
 */
export function shownPart(
  id: number,
  windows: readonly NativeWindow[],
  screen: { readonly width: number; readonly height: number },
): { readonly window: Rect; readonly part: Rect } {
  const at = windows.findIndex((one) => one.id === id);
  const own = windows[at];
  const doing = `picture window ${id}`;
  if (own === undefined) throw new BackstepError("stale", `Cannot ${doing}: it is gone`);
  const part = common(own.rect, { x: 0, y: 0, ...screen });
  const over = windows.slice(at + 1).find((one) =>
    !one.minimised && common(one.rect, own.rect) !== undefined
  );
  if (part !== undefined && !own.minimised && over === undefined) return { window: own.rect, part };
  const why = over === undefined
    ? "it is not on the screen"
    : `the window ${JSON.stringify(over.title.slice(0, 80))} lies over it`;
  throw new BackstepError(
    "unsupported",
    `Cannot ${doing}: ${why}, and the compositor pictures outputs alone`,
    {
      hint: "Activate it first: window: { do: activate }.",
    },
  );
}

/** A picture of a part of a window, as one of the whole window; what is outside of the screen is black. */
export function asWhole(frame: Frame, part: Rect, { x, y, width, height }: Rect): Frame {
  if (frame.width === width && frame.height === height) return frame;
  const rgba = new Uint8Array(4 * width * height);
  for (let k = 3; k < rgba.length; k += 4) rgba[k] = 255;
  for (let row = 0; row < frame.height; row++) {
    const from = 4 * row * frame.width;
    const to = 4 * ((part.y - y + row) * width + part.x - x);
    rgba.set(frame.rgba.subarray(from, from + 4 * frame.width), to);
  }
  return { ...frame, width, height, rgba };
}

/** What two rectangles have in common; undefined: nothing. */
function common(a: Rect, b: Rect): Rect | undefined {
  const x = Math.max(a.x, b.x), y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}
