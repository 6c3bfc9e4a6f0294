import { ancestors } from "./ancestors.ts";
import { isItemOf } from "./item.ts";
import type { Rect } from "./element.ts";
import { Role } from "./roles.ts";
import { barsIn } from "./scroll-bars.ts";
import type { Snapshot } from "./snapshot.ts";
import { intersection, visiblePart } from "./visible.ts";

const AREAS: ReadonlySet<number> = new Set([
  Role.scrollPane,
  Role.viewport,
  Role.documentWeb,
  Role.documentFrame,
]);

/**
 * The nearest ancestor that scrolls: by its role, or (GTK4 4.8 gives scrolled windows no role) one that is smaller than
 * what it holds.
 */
export function areaOf(snapshot: Snapshot, row: number): number | undefined {
  const rect = snapshot.rect(row);
  for (const up of ancestors(snapshot, row)) {
    // The viewport of GTK 3 may have no place of its own.
    if (AREAS.has(snapshot.role(up)) && visiblePart(snapshot, up) !== undefined) return up;
    const frame = snapshot.rect(up);
    if (rect === undefined || frame === undefined || frame.width <= 0 || frame.height <= 0) continue;
    const outside = rect.y >= frame.y + frame.height || rect.y + rect.height <= frame.y;
    if (outside && (hasBars(snapshot, up) || isItemOf(snapshot, row, up))) return up;
  }
  return undefined;
}

/** Has it scroll bars of its own? In Qt Quick they have no value that scrolls it. */
function hasBars(snapshot: Snapshot, row: number): boolean {
  const isBar = (child: number) => snapshot.role(child) === Role.scrollBar;
  return snapshot.children(row).some(isBar) || barsIn(snapshot, row).length > 0;
}

/** Where to scroll to. */
export type Direction = "up" | "down" | "left" | "right";

/** How a view is to be scrolled. */
export interface Way {
  readonly direction: Direction;
  /** In pixels. */
  readonly amount: number;
}

/**
 * How to scroll an element out from under what lies above it in its window: into the middle of the larger part of its view that
 * this leaves free. Undefined: it is in no view, or its view is covered so far that there is no room for it.
 */
export function wayOut(snapshot: Snapshot, row: number, cover: number): Way | undefined {
  const rect = snapshot.rect(row);
  const view = viewOf(snapshot, row);
  const above = view && coverIn(snapshot, row, cover, view);
  if (rect === undefined || view === undefined || above === undefined) return undefined;
  const free = (from: number, to: number, size: number) => ({
    middle: (from + to) / 2,
    room: to - from - size,
  });
  const larger = (a: ReturnType<typeof free>, b: typeof a) => a.room >= b.room ? a : b;
  const lengthwise = larger(
    free(view.y, above.y, rect.height),
    free(above.y + above.height, view.y + view.height, rect.height),
  );
  if (lengthwise.room >= 0) {
    const by = Math.round(rect.y + rect.height / 2 - lengthwise.middle);
    return by === 0 ? undefined : { direction: by > 0 ? "down" : "up", amount: Math.abs(by) };
  }
  const sideways = larger(
    free(view.x, above.x, rect.width),
    free(above.x + above.width, view.x + view.width, rect.width),
  );
  const by = Math.round(rect.x + rect.width / 2 - sideways.middle);
  if (sideways.room < 0 || by === 0) return undefined;
  return { direction: by > 0 ? "right" : "left", amount: Math.abs(by) };
}

/** What shows of the nearest ancestor that scrolls, and has a place. */
function viewOf(snapshot: Snapshot, row: number): Rect | undefined {
  for (const up of ancestors(snapshot, row)) {
    const scrolls = AREAS.has(snapshot.role(up)) || hasBars(snapshot, up);
    const view = scrolls ? visiblePart(snapshot, up) : undefined;
    if (view !== undefined) return view;
  }
  return undefined;
}

/** What of a view is covered: by all of that branch of the tree that lies above the element, and does not cover the whole view. */
function coverIn(snapshot: Snapshot, row: number, cover: number, view: Rect): Rect | undefined {
  const part = (at: number) => {
    const rect = snapshot.rect(at);
    return rect && intersection(rect, view);
  };
  let above = part(cover);
  if (above === undefined || isAll(above, view)) return undefined;
  for (const up of ancestors(snapshot, cover)) {
    if (up <= row && row < snapshot.end(up)) break;
    const whole = part(up);
    if (whole !== undefined && !isAll(whole, view)) above = whole;
  }
  return above;
}

function isAll(part: Rect, view: Rect): boolean {
  return part.width === view.width && part.height === view.height;
}
