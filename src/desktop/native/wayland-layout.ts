import type { Application } from "../element.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Layout, Mapping } from "./coordinates.ts";
import type { NativeWindow } from "./replies.ts";
import { type AccessibleWindow, matchWindows } from "./window-match.ts";

/**
 * Where windows of Wayland lie. No application knows where its windows are: each tells places from the corner of its own
 * surface. Some surfaces are larger than the window that people see, by a shadow (GTK 3, Chromium), and nobody tells by how
 * much: sway knows the window, the application the surface. What is inside of it tells: something that is exactly as large
 * as the window, or all that the surface shows together.
 */

/** How deep in a window something as large as the window is looked for. */
const DEPTH = 5;

/** Does an application not know where its windows are? One of X11's does, and so does XWayland's. */
export function isLocal(
  { pid }: Pick<Application, "pid">,
  windows: readonly NativeWindow[],
  wayland: boolean,
): boolean {
  if (!wayland) return false;
  const own = windows.filter((window) => window.pid === pid);
  return own.length === 0 || own.some(({ local }) => local === true);
}

/** How each toplevel of a snapshot lies on the screen; undefined for those that cannot be told: they are nowhere. */
export function layOutLocal(
  snapshot: Snapshot,
  rows: readonly number[],
  accessible: readonly AccessibleWindow[],
  windows: readonly NativeWindow[],
): Layout {
  const { pid } = snapshot.origin.application;
  const windowRows = rows.filter((row) => snapshot.name(row) !== "" || MANAGED.has(snapshot.role(row)));
  const managed = accessible.filter((_, k) => windowRows.includes(rows[k] ?? -1));
  const matched = withoutTies(managed, matchWindows(managed, windows, pid));
  const own = new Map(windowRows.map((row, k) => [row, { reported: managed[k], window: matched[k] }]));
  const mappingOf = (row: number): Mapping | undefined => {
    const { reported, window } = own.get(row) ?? {};
    return reported && window && localMapping(reported, window, () => insideOf(snapshot, row, window));
  };
  const parent = parentOf(windowRows, matched);
  return {
    // The compositor scales: an application's pixels are the layout's.
    scale: undefined,
    windows: rows.map((row) => own.get(row)?.window),
    mappings: rows.map((row, k) => {
      if (own.has(row)) return mappingOf(row);
      // A popup is told from the corner of the window that opened it; GTK 4 does not say where in there.
      return accessible[k]?.popup === true || parent === undefined ? undefined : mappingOf(parent);
    }),
  };
}

/**
 * How many of a page's pixels make one of its window's: Chromium tells its own controls in the layout's pixels, and pages in those
 * of the output. What holds the page is told both ways. 1 where there is no page.
 */
export function pageScaleOf(snapshot: Snapshot): number {
  for (let row = 1; row < snapshot.size; row++) {
    if (snapshot.role(row) !== Role.documentWeb) continue;
    const page = snapshot.rect(row), around = snapshot.rect(snapshot.parent(row));
    if (page && around && page.width > 0 && around.width > 0) return page.width / around.width;
  }
  return 1;
}

/** The same for what is inside of a page. */
export function inPage({ from, to, scale }: Mapping, pages: number): Mapping {
  return { from: { x: from.x * pages, y: from.y * pages }, to, scale: scale / pages };
}

/** What the window manager manages, as each window with a title; what else lies directly below an application is a popup. */
const MANAGED: ReadonlySet<number> = new Set([Role.frame, Role.dialog, Role.alert, Role.fileChooser]);

/** Windows that title and size do not distinguish: either could be the other. */
function withoutTies(
  accessible: readonly AccessibleWindow[],
  matched: readonly (NativeWindow | undefined)[],
): (NativeWindow | undefined)[] {
  return matched.map((window, k) => {
    const reported = accessible[k];
    const twin = (other: NativeWindow | undefined, at: number) => {
      const also = accessible[at];
      return at !== k && other !== undefined && also !== undefined && window?.title === other.title &&
        reported?.title === also.title && reported.width === also.width && reported.height === also.height;
    };
    return matched.some(twin) ? undefined : window;
  });
}

/** The window that a popup was opened in: the active one, or the only one. */
function parentOf(
  rows: readonly number[],
  matched: readonly (NativeWindow | undefined)[],
): number | undefined {
  const active = matched.findIndex((window) => window?.active === true);
  return rows[active >= 0 ? active : rows.length === 1 ? 0 : -1];
}

/**
 * From what an application tells of a surface to the screen. `inside` finds where in the surface the window begins, where the
 * surface is larger than the window.
 */
export function localMapping(
  reported: AccessibleWindow,
  { rect }: Pick<NativeWindow, "rect">,
  inside: () => { readonly x: number; readonly y: number } | undefined,
): Mapping | undefined {
  const across = rect.width - reported.width, down = rect.height - reported.height;
  const from = { x: reported.x, y: reported.y };
  if (across === 0 && down === 0) return { from, to: { x: rect.x, y: rect.y }, scale: 1 };
  const within = inside();
  if (within) return { from: within, to: { x: rect.x, y: rect.y }, scale: 1 };
  if (across < 0 || down < 0) return undefined;
  // What the toolkit draws around its content is even on the sides and below; the rest is above.
  const side = across / 2;
  return { from, to: { x: rect.x + side, y: rect.y + Math.max(0, down - side) }, scale: 1 };
}

/** The corner of what is as large as the window: one thing in it, or all that lies directly in it together. */
function insideOf(
  snapshot: Snapshot,
  top: number,
  { rect: { width, height } }: NativeWindow,
): { x: number; y: number } | undefined {
  const end = snapshot.end(top);
  for (let row = top + 1; row < end; row++) {
    const rect = snapshot.rect(row);
    if (rect?.width === width && rect.height === height && depthBelow(snapshot, row, top) <= DEPTH) {
      return rect;
    }
  }
  const shown = snapshot.children(top).map((row) => snapshot.rect(row))
    .filter((rect) => rect !== undefined && rect.width > 1 && rect.height > 1);
  const rects = shown.flatMap((rect) => rect ?? []);
  if (rects.length === 0) return undefined;
  const x = Math.min(...rects.map((rect) => rect.x)), y = Math.min(...rects.map((rect) => rect.y));
  const right = Math.max(...rects.map((rect) => rect.x + rect.width));
  return right - x === width ? { x, y } : undefined;
}

function depthBelow(snapshot: Snapshot, row: number, top: number): number {
  let depth = 0;
  for (let up = row; up > top; up = snapshot.parent(up)) depth++;
  return depth;
}
