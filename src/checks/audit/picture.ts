import type { Frame, Rect } from "../../desktop/desktop.ts";

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
  const x = rect.x - picture.x, y = rect.y - picture.y;
  const { frame } = picture;
  if (x < 0 || y < 0 || x + rect.width > frame.width || y + rect.height > frame.height) return undefined;
  if (rect.width < 1 || rect.height < 1) return undefined;
  return { frame, x, y, width: rect.width, height: rect.height };
}
