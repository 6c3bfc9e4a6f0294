import type { Frame, Rect } from "../../desktop/desktop.ts";
import { inPixels } from "../../desktop/rect.ts";

/** What a window showed, and where it lies on the screen. */
export interface Picture {
  /** Its pixels; its own, whatever lay over it. */
  readonly frame: Frame;
  /** Where its upper left pixel lies, in screen pixels. */
  readonly x: number;
  /** Where its upper left pixel lies, in screen pixels. */
  readonly y: number;
  /** The row of the window that it shows. */
  readonly window: number;
}

/** A part of a picture, in its own pixels. */
export interface Part {
  readonly frame: Frame;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The part of a picture that shows a rectangle of the screen; undefined where it does not show all of it. */
export function partOf(picture: Picture, rect: Rect): Part | undefined {
  const { frame } = picture;
  const { x, y, width, height } = inPixels(rect, picture, frame.scale);
  if (x < 0 || y < 0 || x + width > frame.width || y + height > frame.height) return undefined;
  if (width < 1 || height < 1) return undefined;
  return { frame, x, y, width, height };
}
