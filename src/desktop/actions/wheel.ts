import type { Place } from "./place.ts";

/** Pixels that one notch of a wheel moves: Chromium on Linux 53, GTK about the same. */
export const NOTCH = 53;

/** Where everything below an element is, as one string to compare. */
export function places({ snapshot, row }: Pick<Place, "snapshot" | "row">): string {
  const rects: string[] = [];
  const end = Math.min(snapshot.end(row), row + 2_000);
  for (let r = row; r < end; r++) {
    const rect = snapshot.rect(r);
    if (rect) rects.push(`${rect.x},${rect.y}`);
  }
  return rects.join(" ");
}
