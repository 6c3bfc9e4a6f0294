import { type Columns, NO_STRING, type Snapshot } from "../../desktop/snapshot.ts";

/** Have two snapshots the same elements in the same order, each in the same one? Their texts are not decoded for it. */
export function sameElements(one: Snapshot, other: Snapshot): boolean {
  if (one.size !== other.size) return false;
  const { parent } = one.columns, { parent: otherParent } = other.columns;
  for (let row = 0; row < one.size; row++) {
    if (parent[row] !== otherParent[row] || !sameText("path", one, other, row)) return false;
  }
  return true;
}

/** Is a text of the same row the same? Its bytes are compared: decoding those of 10,000 elements takes longer. */
export function sameText(column: "path" | "name", one: Snapshot, other: Snapshot, row: number): boolean {
  const a = placeOf(one.columns, column, row), b = placeOf(other.columns, column, row);
  if (a === undefined || b === undefined) return a === b;
  const [from, to] = a, [start, end] = b;
  if (to - from !== end - start) return false;
  const { arena } = one.columns.strings, { arena: otherArena } = other.columns.strings;
  for (let k = 0; k < to - from; k++) if (arena[from + k] !== otherArena[start + k]) return false;
  return true;
}

/** Where the bytes of a text are; undefined: there is none. */
function placeOf(
  columns: Columns,
  column: "path" | "name",
  row: number,
): readonly [number, number] | undefined {
  const at = columns[column][row] ?? NO_STRING;
  const { offsets } = columns.strings;
  const from = offsets[at], to = offsets[at + 1];
  return from === undefined || to === undefined ? undefined : [from, to];
}
