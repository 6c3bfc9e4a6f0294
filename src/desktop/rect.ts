import type { Rect } from "./element.ts";

/** Does the point lie in the rectangle? Its right and lower edges do not belong to it. */
export function contains(rect: Rect, x: number, y: number): boolean {
  return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}

/** The middle of a rectangle, in whole pixels. */
export function centre(rect: Rect): { readonly x: number; readonly y: number } {
  return { x: Math.floor(rect.x + rect.width / 2), y: Math.floor(rect.y + rect.height / 2) };
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
