import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { isGtk4 } from "../toolkits.ts";
import { hasScreenPages } from "./coordinates.ts";
import type { AccessibleWindow } from "./window-match.ts";

/** A window or popover as its application reports it. */
export function accessibleWindow(snapshot: Snapshot, row: number, popover: boolean): AccessibleWindow {
  const { x, y, width, height } = snapshot.rect(row) ?? { x: 0, y: 0, width: 0, height: 0 };
  const reported = { title: snapshot.name(row), x, y, width, height };
  // Other toolkits list windows of popups among their windows.
  return isGtk4(snapshot.origin.application) ? { ...reported, popup: popover } : reported;
}

/**
 * The rows of a window, as ranges, but for what is inside of windows of their own (`apart`), and of pages that are told
 * in the screen's pixels.
 */
export function ownRows(
  snapshot: Snapshot,
  top: number,
  apart: ReadonlySet<number>,
): [from: number, to: number][] {
  const end = snapshot.end(top);
  const pages = hasScreenPages(snapshot.origin.application);
  const ranges: [number, number][] = [];
  let from = top;
  for (let row = top; row < end;) {
    const page = pages && snapshot.role(row) === Role.documentWeb;
    if (!page && (row === top || !apart.has(row))) {
      row++;
      continue;
    }
    ranges.push([from, row]);
    from = row = snapshot.end(row);
  }
  ranges.push([from, end]);
  return ranges;
}

/** The rows of the pages of a window that are told in the screen's pixels, or the output's where there is no screen. */
export function pageRows(snapshot: Snapshot, top: number): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  if (!hasScreenPages(snapshot.origin.application)) return ranges;
  for (let row = top; row < snapshot.end(top);) {
    const page = snapshot.role(row) === Role.documentWeb;
    if (page) ranges.push([row, snapshot.end(row)]);
    row = page ? snapshot.end(row) : row + 1;
  }
  return ranges;
}
