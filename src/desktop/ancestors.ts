import type { Snapshot } from "./snapshot.ts";

/** Rows from the parent of `row` up to the root. */
export function ancestors(snapshot: Snapshot, row: number): number[] {
  const rows: number[] = [];
  for (let up = snapshot.parent(row); up >= 0; up = snapshot.parent(up)) rows.push(up);
  return rows;
}
