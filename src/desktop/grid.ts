import { Role } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";

const HEADERS: ReadonlySet<number> = new Set([Role.columnHeader, Role.tableColumnHeader]);

/** Headers of columns right below a table: as many as a table has columns that holds its cells row by row. */
export function columnHeaders(snapshot: Snapshot, view: number): number[] {
  return snapshot.children(view).filter((child) => HEADERS.has(snapshot.role(child)));
}

/** Where something lies in a table. Without `row`: it is the header of a column. */
export interface GridPlace {
  readonly row?: number;
  readonly column: number;
}

const GRIDS = new WeakMap<Snapshot, Map<number, ReadonlyMap<number, GridPlace>>>();

/**
 * Where a child of a table lies, by its order alone: GTK 3 and Qt hold the headers of columns and then the cells, row by row. For
 * cells without a place on the screen, as those of GTK 3 that are out of view. Undefined: it has fewer than two columns, or the cells
 * do not fill whole rows.
 */
export function gridPlace(snapshot: Snapshot, view: number, row: number): GridPlace | undefined {
  const grids = GRIDS.get(snapshot) ?? new Map<number, ReadonlyMap<number, GridPlace>>();
  GRIDS.set(snapshot, grids);
  const grid = grids.get(view) ?? gridOf(snapshot, view);
  grids.set(view, grid);
  return grid.get(row);
}

function gridOf(snapshot: Snapshot, view: number): Map<number, GridPlace> {
  const headers = columnHeaders(snapshot, view);
  const cells = snapshot.children(view).filter((child) => snapshot.role(child) === Role.tableCell);
  const grid = new Map<number, GridPlace>();
  if (headers.length < 2 || cells.length % headers.length !== 0) return grid;
  for (const [column, header] of headers.entries()) grid.set(header, { column });
  for (const [at, cell] of cells.entries()) {
    grid.set(cell, { row: Math.floor(at / headers.length), column: at % headers.length });
  }
  return grid;
}
