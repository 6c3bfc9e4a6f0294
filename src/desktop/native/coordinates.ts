import type { Application } from "../desktop.ts";
import { contains } from "../rect.ts";
import { isGtk4 } from "../toolkits.ts";
import type { NativeWindow } from "./replies.ts";

/**
 * The one place that knows about coordinates. Everything above it speaks of screen pixels.
 *
 * GTK 4 does not know where its windows are: it answers requests for screen coordinates with window-relative ones. So
 * it is asked for those, which count from the top left of the accessible window, inside whatever the toolkit draws
 * around it (shadows, resize borders); the X window that belongs to it says where that is.
 */
export const Coordinates = { screen: 0, window: 1 } as const;
export type CoordinateType = (typeof Coordinates)[keyof typeof Coordinates];

/** Which coordinates an application must be asked for. */
export function coordinatesOf(application: Pick<Application, "toolkit" | "toolkitVersion">): CoordinateType {
  return isGtk4(application) ? Coordinates.window : Coordinates.screen;
}

/** What toolkits answer for what is scrolled out of sight (GTK 3), and anything as far away. */
const NOWHERE = 0x40000000;
const UNKNOWN = -1;

/** An accessible window: its name and its size. */
export interface AccessibleWindow {
  readonly title: string;
  readonly width: number;
  readonly height: number;
}

/** A step from one coordinate system into another. */
export interface Offset {
  readonly x: number;
  readonly y: number;
}

/** From a window's own coordinates to the screen's. */
export function offsetOf(accessible: AccessibleWindow, { rect, frame }: NativeWindow): Offset {
  const across = rect.width - accessible.width;
  const down = rect.height - accessible.height;
  // The declared frame is exact where it accounts for the difference; else what surrounds the window is even.
  return {
    x: rect.x + (across === frame.left + frame.right ? frame.left : Math.round(across / 2)),
    y: rect.y + (down === frame.top + frame.bottom ? frame.top : Math.round(down / 2)),
  };
}

/**
 * The window of the window system that belongs to each accessible window of one process; undefined where none does.
 * By title, then by size, then because only one is left; no window is given away twice.
 */
export function matchWindows(
  accessible: readonly AccessibleWindow[],
  windows: readonly NativeWindow[],
  pid: number,
): (NativeWindow | undefined)[] {
  const free = new Set(windows.filter((w) => w.pid === pid));
  const matched: (NativeWindow | undefined)[] = accessible.map(() => undefined);
  const misfit = (a: AccessibleWindow, w: NativeWindow) =>
    Math.abs(w.rect.width - w.frame.left - w.frame.right - a.width) +
    Math.abs(w.rect.height - w.frame.top - w.frame.bottom - a.height);
  const pass = (fits: (a: AccessibleWindow, w: NativeWindow) => boolean) => {
    const pairs = accessible.flatMap((a, k) =>
      matched[k] ? [] : [...free].filter((w) => fits(a, w)).map((w) => ({ k, w, misfit: misfit(a, w) }))
    );
    for (const { k, w } of pairs.sort((p, q) => p.misfit - q.misfit)) {
      if (matched[k] || !free.has(w)) continue;
      matched[k] = w;
      free.delete(w);
    }
  };
  pass((a, w) => a.title !== "" && a.title === w.title);
  pass((a, w) => misfit(a, w) <= 2);
  if (matched.filter((w) => w === undefined).length === 1 && free.size === 1) pass(() => true);
  return matched;
}

/** Marks as unknown what a toolkit reports for elements that are nowhere. In place. */
export function dropNowhere(rect: Int32Array): void {
  for (let at = 0; at + 3 < rect.length; at += 4) {
    const x = rect[at] ?? 0, y = rect[at + 1] ?? 0, width = rect[at + 2] ?? 0, height = rect[at + 3] ?? 0;
    if (Math.abs(x) >= NOWHERE || Math.abs(y) >= NOWHERE || width < 0 || height < 0) forget(rect, at);
  }
}

/** Moves the rectangles of rows `from` to `to` (exclusive) by an offset; without one they are unknown. In place. */
export function shiftRows(rect: Int32Array, from: number, to: number, offset: Offset | undefined): void {
  for (let at = 4 * from; at < 4 * to && at + 3 < rect.length; at += 4) {
    if (rect[at + 2] === UNKNOWN) continue;
    if (!offset) {
      forget(rect, at);
      continue;
    }
    rect[at] = (rect[at] ?? 0) + offset.x;
    rect[at + 1] = (rect[at + 1] ?? 0) + offset.y;
  }
}

function forget(rect: Int32Array, at: number): void {
  rect.fill(0, at, at + 2);
  rect.fill(UNKNOWN, at + 2, at + 4);
}

/** The window that a pointer at this point would reach: the topmost one that is there. */
export function windowAt(windows: readonly NativeWindow[], x: number, y: number): NativeWindow | undefined {
  return windows.findLast((window) => !window.minimised && contains(window.rect, x, y));
}
