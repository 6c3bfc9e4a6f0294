import { columnHeaders } from "../grid.ts";
import { containerOf, itemName, itemRows } from "./items.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { hasGtk3Widgets, isQt } from "../toolkits.ts";

/** Where a cell lies in its table, tree or list, and what tells its row: toolkits name a cell after its text, which changes. */
export interface CellPosition {
  /** Its place among the cells, from 0. */
  readonly index: number;
  /** What the other cells of its row showed. */
  readonly beside: readonly string[];
  /** How many cells there were. */
  readonly count: number;
  /** Of a cell that shows several things, such as a picture and a text, which of them: rows below it. 0: itself. */
  readonly part: number;
}

/** A cell by its view. */
export interface Cell {
  /** The row of its table, tree or list. */
  readonly view: number;
  readonly at: CellPosition;
}

/** What may be edited where it lies. Lists of GTK 3 hold widgets instead. */
const CELLS = {
  gtk3: new Set<number>([Role.tableCell]),
  qt: new Set<number>([Role.tableCell, Role.treeItem, Role.listItem]),
};

/**
 * The view of a cell, and where it lies there; undefined: it is none that could be edited there. Whether one can be, neither GTK
 * 3 nor Qt tells. What is opened or checked by its value has none to be written.
 */
export function cellIn(snapshot: Snapshot, row: number): Cell | undefined {
  const { application } = snapshot.origin;
  const gtk3 = hasGtk3Widgets(application);
  const roles = gtk3 ? CELLS.gtk3 : isQt(application) ? CELLS.qt : undefined;
  if (roles?.has(snapshot.role(row)) !== true) return undefined;
  if (snapshot.has(row, "expandable") || snapshot.has(row, "checkable")) return undefined;
  const view = containerOf(snapshot, row);
  if (view < 0 || snapshot.role(view) === Role.comboBox) return undefined;
  const cells = itemRows(snapshot, view);
  const index = cells.findIndex((cell) => row >= cell && row < snapshot.end(cell));
  const cell = cells[index];
  if (cell === undefined) return undefined;
  const beside = besideOf(snapshot, view, cells, index);
  return { view, at: { index, beside, count: cells.length, part: row - cell } };
}

/**
 * The cell that has a position. Where there are as many cells as before, and its row shows what it did: the one there. Else the
 * only one of which the row does, since rows are sorted and inserted. Else, if there are as many, the one there: what is beside it
 * was edited. -1: nothing tells which it is.
 */
export function cellAt(snapshot: Snapshot, view: number, at: CellPosition): number {
  const cells = itemRows(snapshot, view);
  const index = indexOf(snapshot, view, cells, at);
  const cell = index === undefined ? undefined : cells[index];
  if (cell === undefined || cell + at.part >= snapshot.end(cell)) return -1;
  return cell + at.part;
}

function indexOf(
  snapshot: Snapshot,
  view: number,
  cells: readonly number[],
  { index, beside, count }: CellPosition,
): number | undefined {
  const same = cells.length === count;
  if (beside.length === 0) return same ? index : undefined;
  const columns = columnsIn(snapshot, view);
  const shows = (at: number) => {
    const now = at < cells.length ? besideOf(snapshot, view, cells, at) : [];
    return now.length === beside.length && now.every((text, k) => text === beside[k]);
  };
  if (same && shows(index)) return index;
  const found: number[] = [];
  for (let at = index % columns; at < cells.length; at += columns) if (shows(at)) found.push(at);
  if (found.length === 1) return found[0];
  return same && found.length === 0 ? index : undefined;
}

/**
 * The cells of a view by what tells each, for people too: its column and what its row shows beside it (`Done: Bread`), in a
 * list itself, and which of those alike it is (`Bread (2)`).
 */
export function keysOfCells(snapshot: Snapshot, view: number): ReadonlyMap<string, number> {
  const cells = itemRows(snapshot, view);
  const headers = columnHeaders(snapshot, view);
  const keys = new Map<string, number>();
  for (const [index, cell] of cells.entries()) {
    const header = headers[index % headers.length];
    const beside = besideOf(snapshot, view, cells, index).filter((text) => text !== "");
    const key = header === undefined || headers.length < 2
      ? itemName(snapshot, cell)
      : `${snapshot.name(header)}: ${beside.join(", ")}`;
    let nth = 1;
    while (keys.has(nthOf(key, nth))) nth++;
    keys.set(nthOf(key, nth), cell);
  }
  return keys;
}

function nthOf(key: string, nth: number): string {
  return nth === 1 ? key : `${key} (${nth})`;
}

/** What the other cells of a row show. */
function besideOf(snapshot: Snapshot, view: number, cells: readonly number[], index: number): string[] {
  const columns = columnsIn(snapshot, view);
  const first = index - index % columns;
  return cells.slice(first, first + columns)
    .filter((cell) => cell !== cells[index])
    .map((cell) => itemName(snapshot, cell));
}

/** How many cells a row of a view has. */
export function columnsIn(snapshot: Snapshot, view: number): number {
  return Math.max(1, columnHeaders(snapshot, view).length);
}
