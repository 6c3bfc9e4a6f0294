import type { Place } from "./place.ts";

/** Pixels that one notch of a wheel moves: Chromium on Linux 53, GTK about the same. */
export const NOTCH = 53;

/**
 * Where everything below an element is, as one string to compare. Which of it has a place counts too: rows of GTK 3 that are out of
 * view have none, so that a list that scrolled by whole rows has others at the same places.
 */
export function places({ snapshot, row }: Pick<Place, "snapshot" | "row">): string {
  const rects: string[] = [];
  const end = Math.min(snapshot.end(row), row + 2_000);
  for (let r = row; r < end; r++) {
    const rect = snapshot.rect(r);
    if (rect) rects.push(`${r - row}:${rect.x},${rect.y}`);
  }
  return rects.join(" ");
}
