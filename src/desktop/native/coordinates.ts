import type { Application } from "../element.ts";
import { contains } from "../rect.ts";
import { isGtk, isGtk4, isQt, webFactsOf } from "../toolkits.ts";
import type { NativeWindow } from "./replies.ts";
import { type AccessibleWindow, isFramed, matchWindows, restOf, scaleOf } from "./window-match.ts";

/**
 * The one place that knows about coordinates. Everything above it speaks of screen pixels.
 *
 * Toolkits tell logical pixels when the desktop is scaled, and GTK 4 does not know where its windows are: it answers
 * requests for screen coordinates with window-relative ones. Neither says so. What can be seen from outside is each
 * window twice: as the application tells it, and as the X server has it. The step from the one to the other is what
 * holds for everything inside.
 *
 * Popovers of GTK 4 are drawn in windows of their own, and told as if they lay in their parent, at its very corner. They
 * are windows here like the others, found by their size.
 */
export const Coordinates = { screen: 0, window: 1 } as const;
export type CoordinateType = (typeof Coordinates)[keyof typeof Coordinates];

/** Which coordinates an application must be asked for. */
export function coordinatesOf(application: Pick<Application, "toolkit" | "toolkitVersion">): CoordinateType {
  return isGtk4(application) ? Coordinates.window : Coordinates.screen;
}

/** Does it tell its own controls in logical pixels, and what is inside a web page in the screen's? */
export function hasScreenPages(application: Pick<Application, "toolkit">): boolean {
  return webFactsOf(application)?.screenPages === true;
}

/** Qt may scale each screen by a factor of its own: a window that moves to another one changes. */
export function mayChangeScale(application: Pick<Application, "toolkit">): boolean {
  return isQt(application);
}

/** What toolkits answer for what is scrolled out of sight (GTK 3), and anything as far away. */
const NOWHERE = 0x40000000;
const UNKNOWN = -1;

/** The step from what an application tells to the screen: `to + scale * (told - from)`. */
export interface Mapping {
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
  readonly scale: number;
}

/** What an application tells is what is on the screen. */
export const AS_REPORTED: Mapping = { from: { x: 0, y: 0 }, to: { x: 0, y: 0 }, scale: 1 };

/** From the coordinates that an application tells for a window to the screen's. */
export function mappingOf(
  accessible: AccessibleWindow,
  window: NativeWindow,
  scale: number,
  coordinates: CoordinateType,
): Mapping {
  const screen = coordinates === Coordinates.screen;
  if (screen && scale === 1) return AS_REPORTED;
  const { rect, frame } = window;
  if (screen && isFramed(accessible, window, scale)) {
    const { x, y } = accessible;
    // What lies inside is told from the screen's corner, in whole pixels of the application.
    const rest = (at: number) => at - scale * Math.floor(at / scale);
    return { from: { x, y }, to: { x: scale * x + rest(rect.x), y: scale * y + rest(rect.y) }, scale };
  }
  const { across, down } = restOf(accessible, window, scale);
  // The declared frame is exact where it accounts for the difference; else what surrounds the window is even.
  const before = (left: number, declared: number, first: number) =>
    Math.abs(left - declared) <= scale ? first : Math.round(left / 2);
  return {
    // A window lies at its own 0, 0; a popover is told where its parent lies.
    from: screen || accessible.popup === true ? { x: accessible.x, y: accessible.y } : { x: 0, y: 0 },
    to: {
      x: rect.x + before(across, frame.left + frame.right, frame.left),
      y: rect.y + before(down, frame.top + frame.bottom, frame.top),
    },
    scale,
  };
}

/** How each of an application's windows lies on the screen; undefined for those whose window cannot be told. */
export interface Layout {
  readonly windows: readonly (NativeWindow | undefined)[];
  readonly mappings: readonly (Mapping | undefined)[];
  /** How many screen pixels make one of the application's; undefined when no window tells. */
  readonly scale: number | undefined;
}

/** Finds the windows of an application and how it tells them. `known`: its scale, where an earlier look has told it. */
export function layOut(
  application: Pick<Application, "toolkit" | "toolkitVersion" | "pid">,
  reported: readonly AccessibleWindow[],
  windows: readonly NativeWindow[],
  existing?: number,
): Layout {
  const coordinates = coordinatesOf(application);
  const framed = isGtk(application) && coordinates === Coordinates.screen;
  const anyScale = isQt(application);
  const accessible = framed || anyScale ? reported.map((a) => ({ ...a, framed, anyScale })) : reported;
  const { pid } = application;
  const scale = scaleOf(accessible.filter((a) => a.popup !== true), windows, pid);
  const usual = scale ?? existing ?? 1;
  const matched = matchWindows(accessible, windows, pid, usual);
  const mappings = accessible.map((a, k): Mapping | undefined => {
    const window = matched[k];
    if (window === undefined) return undefined;
    const unexplained = (framed || anyScale) && scale === undefined && existing === undefined;
    if (unexplained && isElsewhere(a, window)) return undefined;
    const own = mayChangeScale(application) ? scaleOf([a], [window], pid) : undefined;
    return mappingOf(a, window, own ?? usual, coordinates);
  });
  if (coordinates === Coordinates.window) return { windows: matched, mappings, scale };
  // What matches no window, such as a popup, lies on the same screen as the others and is told like them.
  const some = usual === 1
    ? AS_REPORTED
    : mappings.find((m) => m !== undefined) ?? { ...AS_REPORTED, scale: usual };
  return { windows: matched, mappings: mappings.map((m, k) => matched[k] ? m : m ?? some), scale };
}

/** Pixels between what is told of a window and where it is that its own borders and shadows may account for. */
const NEAR = 100;

/** No scale explains what is told of a window, and as it is told it lies elsewhere: a click could hit anything. */
function isElsewhere(a: AccessibleWindow, { rect }: NativeWindow): boolean {
  return [
    a.x - rect.x,
    a.y - rect.y,
    a.x + a.width - rect.x - rect.width,
    a.y + a.height - rect.y - rect.height,
  ].some((apart) => Math.abs(apart) > NEAR);
}

/** Marks as unknown what a toolkit reports for elements that are nowhere. In place. */
export function dropNowhere(rect: Int32Array): void {
  for (let at = 0; at + 3 < rect.length; at += 4) {
    const x = rect[at] ?? 0, y = rect[at + 1] ?? 0, width = rect[at + 2] ?? 0, height = rect[at + 3] ?? 0;
    if (Math.abs(x) >= NOWHERE || Math.abs(y) >= NOWHERE || width < 0 || height < 0) forget(rect, at);
  }
}

/** Maps the rectangles of rows `from` to `to` (exclusive); without a mapping they are unknown. In place. */
export function mapRows(rect: Int32Array, from: number, to: number, mapping: Mapping | undefined): void {
  if (mapping === AS_REPORTED) return;
  for (let at = 4 * from; at < 4 * to && at + 3 < rect.length; at += 4) {
    if (rect[at + 2] === UNKNOWN) continue;
    if (!mapping) {
      forget(rect, at);
      continue;
    }
    const { scale } = mapping;
    const point = toScreen(mapping, rect[at] ?? 0, rect[at + 1] ?? 0);
    rect[at] = point.x;
    rect[at + 1] = point.y;
    rect[at + 2] = Math.round(scale * (rect[at + 2] ?? 0));
    rect[at + 3] = Math.round(scale * (rect[at + 3] ?? 0));
  }
}

/** A place that an application tells, on the screen. */
export function toScreen({ from, to, scale }: Mapping, x: number, y: number): { x: number; y: number } {
  return { x: Math.round(to.x + scale * (x - from.x)), y: Math.round(to.y + scale * (y - from.y)) };
}

/** A place of the screen, as an application would tell it. */
export function fromScreen({ from, to, scale }: Mapping, x: number, y: number): { x: number; y: number } {
  return { x: Math.floor(from.x + (x - to.x) / scale), y: Math.floor(from.y + (y - to.y) / scale) };
}

function forget(rect: Int32Array, at: number): void {
  rect.fill(0, at, at + 2);
  rect.fill(UNKNOWN, at + 2, at + 4);
}

/** The window that a pointer at this point would reach: the topmost one that is there. */
export function windowAt(windows: readonly NativeWindow[], x: number, y: number): NativeWindow | undefined {
  return windows.findLast((window) => !window.minimised && contains(window.rect, x, y));
}
