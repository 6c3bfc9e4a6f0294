import type { Rect } from "./element.ts";

/** A place on the screen, in its units: where the upper left corner of a picture lies. */
export interface Corner {
  readonly x: number;
  readonly y: number;
}

/**
 * A rectangle of the screen as the pixels of a picture that show it, whole ones; `scale` is how many pixels make one unit of the
 * screen (macOS has points), default 1. It may reach over the edge of the picture.
 *
 * @example
 * ```ts
 * import { inPixels } from "./pixels.ts";
 * const { x, width } = inPixels({ x: 110, y: 20, width: 30, height: 10 }, { x: 100, y: 0 }, 2);
 * if (x !== 20 || width !== 60) throw new Error();
 * ```
 */
export function inPixels({ x, y, width, height }: Rect, corner: Corner, scale: number = 1): Rect {
  const left = Math.floor((x - corner.x) * scale), top = Math.floor((y - corner.y) * scale);
  return {
    x: left,
    y: top,
    width: Math.ceil((x - corner.x + width) * scale) - left,
    height: Math.ceil((y - corner.y + height) * scale) - top,
  };
}

/** The rectangle of the screen that pixels of a picture show: the reverse of `inPixels`, in whole units. */
export function onScreen({ x, y, width, height }: Rect, corner: Corner, scale: number = 1): Rect {
  return {
    x: corner.x + Math.floor(x / scale),
    y: corner.y + Math.floor(y / scale),
    width: Math.max(1, Math.ceil(width / scale)),
    height: Math.max(1, Math.ceil(height / scale)),
  };
}
