import { Role } from "../../desktop/roles.ts";
import type { Scene } from "./scene.ts";

const HEADERS: ReadonlySet<number> = new Set([
  Role.columnHeader,
  Role.rowHeader,
  Role.tableColumnHeader,
  Role.tableRowHeader,
]);

/** Is it the heading of a column or row? */
export function isHeader(scene: Scene, row: number): boolean {
  return HEADERS.has(scene.snapshot.role(row));
}

/** The cells of a table of a document, row by row. Undefined where its rows are not told as such. */
export function rowsOf(scene: Scene, table: number): number[][] | undefined {
  if (!scene.web) return undefined;
  const { snapshot } = scene;
  const rows: number[][] = [];
  for (let row = table + 1; row < snapshot.end(table); row++) {
    if (snapshot.role(row) !== Role.tableRow || scene.ancestor(row, TABLES) !== table) continue;
    rows.push(
      snapshot.children(row).filter((at) => isHeader(scene, at) || snapshot.role(at) === Role.tableCell),
    );
  }
  return rows.some((cells) => cells.length > 0) ? rows : undefined;
}

/** The same, where all rows are of one length: cells that span others cannot be told from the tree. */
export function gridOf(scene: Scene, table: number): number[][] | undefined {
  const rows = rowsOf(scene, table);
  const width = rows?.[0]?.length ?? 0;
  return width > 0 && rows?.every((cells) => cells.length === width) ? rows : undefined;
}

/** Does a heading stand above a cell of its column, or before one of its row? What it heads may be a heading, too. */
export function headedBy(scene: Scene, rows: readonly (readonly number[])[], x: number, y: number): boolean {
  const cells = rows[y] ?? [];
  const cell = cells[x] ?? -1;
  if (!isColumn(scene, cell)) return cells.length > x + 1;
  return rows.slice(y + 1).some((below) =>
    below.some((other, at) => isSameColumn(scene, cell, x, other, at))
  );
}

/** By where they lie, which tells cells that span columns; cells that are not laid out as a table count by their number. */
function isSameColumn(scene: Scene, cell: number, x: number, other: number, column: number): boolean {
  const one = scene.snapshot.rect(cell), two = scene.snapshot.rect(other);
  if (one === undefined || two === undefined || !isLaidOut(scene, cell) || !isLaidOut(scene, other)) {
    return column === x;
  }
  return Math.min(one.x + one.width, two.x + two.width) - Math.max(one.x, two.x) > 1;
}

function isLaidOut(scene: Scene, cell: number): boolean {
  return scene.attribute(cell, "display") === "table-cell";
}

function isColumn(scene: Scene, row: number): boolean {
  const role = scene.snapshot.role(row);
  return role === Role.columnHeader || role === Role.tableColumnHeader;
}

const TABLES: ReadonlySet<number> = new Set([Role.table, Role.treeTable]);

/** Is a cell a heading, empty, below one of its column or beside one of its row? */
export function hasHeader(scene: Scene, grid: readonly (readonly number[])[], x: number, y: number): boolean {
  const cells = grid[y] ?? [];
  const cell = cells[x] ?? 0;
  if (isHeader(scene, cell) || scene.content(cell) === "") return true;
  return grid.some((row) => isHeader(scene, row[x] ?? cell)) || cells.some((other) => isHeader(scene, other));
}
