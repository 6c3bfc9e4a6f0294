import type { Rect } from "./element.ts";

/** A place in pixels, of the screen unless it is said otherwise. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Does the point lie in the rectangle? Its right and lower edges do not belong to it. */
export function contains(rect: Rect, x: number, y: number): boolean {
  return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}

/** The middle of a rectangle, in whole pixels. */
export function centre(rect: Rect): Point {
  return { x: Math.floor(rect.x + rect.width / 2), y: Math.floor(rect.y + rect.height / 2) };
}

/** A rectangle in points, as the pixels of a picture whose corner lies there: it covers all that it touches. */
export function inPixels(
  { x, y, width, height }: Rect,
  origin: Point,
  scale = 1,
): Rect {
  if (scale === 1) return { x: x - origin.x, y: y - origin.y, width, height };
  const left = Math.floor((x - origin.x) * scale), top = Math.floor((y - origin.y) * scale);
  const right = Math.ceil((x - origin.x + width) * scale),
    bottom = Math.ceil((y - origin.y + height) * scale);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Are they the same place? Unknown places are. */
export function sameRect(a: Rect | undefined, b: Rect | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** A place, for messages. */
export function placeText(rect: Rect | undefined): string {
  return rect === undefined ? "nowhere" : `(${rect.x}, ${rect.y}, ${rect.width}x${rect.height})`;
}
