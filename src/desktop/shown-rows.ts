import type { Snapshot } from "./snapshot.ts";
import { rowHas } from "./state-words.ts";

/**
 * The rows that show or hold one that does, each as a 1 in its place: a closed menu is none, nor is anything in it. `shows`
 * says what shows, by default what is visible.
 */
export function shownRows(
  snapshot: Snapshot,
  shows: (snapshot: Snapshot, row: number) => boolean = isVisible,
): Uint8Array {
  const shown = new Uint8Array(snapshot.size);
  for (let row = snapshot.size - 1; row >= 0; row--) {
    if (shown[row] !== 1 && !shows(snapshot, row)) continue;
    shown[row] = 1;
    const up = snapshot.parent(row);
    if (up >= 0) shown[up] = 1;
  }
  return shown;
}

function isVisible(snapshot: Snapshot, row: number): boolean {
  return rowHas(snapshot, row, "visible");
}
