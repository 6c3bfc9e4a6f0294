import type { Rect } from "../../desktop/desktop.ts";
import { eachMarked, Mark, type Marks } from "./marks.ts";

/** Pixels of a cell: differences are joined when their cells touch or one lies between them. */
const CELL = 8;
const NEAR = 2;

/** Differences that lie together. */
export interface Cluster {
  /** From the picture's corner, tight around them. */
  readonly rect: Rect;
  /** How many pixels differ. */
  readonly pixels: number;
}

interface Growing {
  left: number;
  top: number;
  right: number;
  bottom: number;
  pixels: number;
}

/** The pixels that differ, in groups that lie at most 16 pixels apart; the largest first. */
export function clustersOf(judged: Marks): Cluster[] {
  const columns = Math.ceil(judged.width / CELL);
  const cells = new Map<number, Growing>();
  eachMarked(judged, Mark.different, (x, y) => {
    const cell = Math.floor(y / CELL) * columns + Math.floor(x / CELL);
    const existing = cells.get(cell);
    if (existing) grow(existing, { left: x, top: y, right: x + 1, bottom: y + 1, pixels: 1 });
    else cells.set(cell, { left: x, top: y, right: x + 1, bottom: y + 1, pixels: 1 });
  });
  const found: Growing[] = [];
  while (cells.size > 0) {
    const [first] = cells;
    if (!first) break;
    cells.delete(first[0]);
    const cluster = first[1];
    for (const waiting = [first[0]]; waiting.length > 0;) {
      const cell = waiting.pop() ?? 0;
      const x = cell % columns;
      for (let dy = -NEAR; dy <= NEAR; dy++) {
        for (let dx = Math.max(-NEAR, -x); dx <= Math.min(NEAR, columns - 1 - x); dx++) {
          const other = cell + dy * columns + dx;
          const near = cells.get(other);
          if (!near) continue;
          cells.delete(other);
          grow(cluster, near);
          waiting.push(other);
        }
      }
    }
    found.push(cluster);
  }
  return found.sort((a, b) => b.pixels - a.pixels || a.top - b.top || a.left - b.left).map((one) => ({
    rect: { x: one.left, y: one.top, width: one.right - one.left, height: one.bottom - one.top },
    pixels: one.pixels,
  }));
}

function grow(cluster: Growing, by: Growing): void {
  cluster.left = Math.min(cluster.left, by.left);
  cluster.top = Math.min(cluster.top, by.top);
  cluster.right = Math.max(cluster.right, by.right);
  cluster.bottom = Math.max(cluster.bottom, by.bottom);
  cluster.pixels += by.pixels;
}
