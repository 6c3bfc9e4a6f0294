import type { Application, Rect, Window } from "../desktop/desktop.ts";
import { hitTest } from "../desktop/hit-test.ts";
import { contains } from "../desktop/rect.ts";
import type { Snapshot } from "../desktop/snapshot.ts";

/** What an application looked like at one moment. */
export interface Look {
  readonly application: Application;
  readonly snapshot: Snapshot;
  /** Of the whole screen, bottom to top. */
  readonly windows: readonly Window[];
  /** When it was complete, in milliseconds of `performance.now()`. */
  readonly at: number;
  /** When it began: what came later may not be in it. */
  readonly from: number;
}

/** Looks that are kept of one application. */
const KEPT = 3;

/** The last looks at each application. */
export class Looks {
  readonly #byBus = new Map<string, Look[]>();

  add(look: Look): void {
    const kept = this.#byBus.get(look.application.bus) ?? [];
    kept.push(look);
    kept.splice(0, Math.max(0, kept.length - KEPT));
    this.#byBus.set(look.application.bus, kept);
  }

  forget(bus: string): void {
    this.#byBus.delete(bus);
  }

  latest(bus: string): Look | undefined {
    return this.#byBus.get(bus)?.at(-1);
  }

  /** The last look that was complete at that time. */
  before(bus: string, time: number): Look | undefined {
    return this.#byBus.get(bus)?.findLast(({ at }) => at <= time);
  }
}

/** Pixels that a window manager draws around a window: above it, and on its other sides. */
const TITLE_BAR = 32;
const FRAME = 6;

/** What lies at a point of the screen: a window, or what the window manager draws around one (`frame`). */
export interface Reached {
  readonly window: Window;
  readonly frame: boolean;
}

/** What a pointer at this point of the screen would reach; undefined: no window. */
export function reachedAt(windows: readonly Window[], x: number, y: number): Reached | undefined {
  for (const window of windows.toReversed()) {
    if (window.minimised || window.tooltip) continue;
    if (contains(window.rect, x, y)) return { window, frame: false };
    const { x: left, y: top, width, height } = window.rect;
    const around = {
      x: left - FRAME,
      y: top - TITLE_BAR,
      width: width + 2 * FRAME,
      height: height + TITLE_BAR + FRAME,
    };
    if (!window.popup && contains(around, x, y)) return { window, frame: true };
  }
  return undefined;
}

/** The row at a point of a window, as far as the tree tells; -1: none. */
export function rowAt({ snapshot }: Look, window: Window, x: number, y: number): number {
  if (window.popup) return hitTest(snapshot, x, y, window.rect);
  const top = toplevelOf(snapshot, window);
  return hitTest(snapshot, x, y, undefined, top);
}

/** The row of a window among the top-level rows, by its title and place; 0, which is the application, where nothing tells. */
function toplevelOf(snapshot: Snapshot, window: Window): number {
  const toplevels = snapshot.children(0).filter((row) => {
    const rect = snapshot.rect(row);
    return rect !== undefined && overlaps(rect, window.rect);
  });
  const titled = toplevels.filter((row) => snapshot.name(row) === window.title);
  const alike = titled.length > 0 ? titled : toplevels;
  const placed = alike.filter((row) => isAt(snapshot.rect(row), window.rect));
  const [only, second] = placed.length > 0 ? placed : alike;
  return only !== undefined && second === undefined ? only : 0;
}

/** Shadows and borders are told by some toolkits and not by others. */
const BORDER = 40;

function isAt(a: Rect | undefined, b: Rect): boolean {
  return a !== undefined && Math.abs(a.x - b.x) <= BORDER && Math.abs(a.y - b.y) <= BORDER &&
    Math.abs(a.width - b.width) <= 2 * BORDER && Math.abs(a.height - b.height) <= 2 * BORDER;
}

function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
