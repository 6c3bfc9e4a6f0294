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

/**
 * The cells of a table of a document, row by row. Undefined where its rows are not told as such, or are not of one length,
 * since cells that span others cannot be told from the tree.
 */
export function gridOf(scene: Scene, table: number): number[][] | undefined {
  if (scene.toolkit !== "chromium") return undefined;
  const { snapshot } = scene;
  const grid: number[][] = [];
  for (let row = table + 1; row < snapshot.end(table); row++) {
    if (snapshot.role(row) !== Role.tableRow || scene.ancestor(row, TABLES) !== table) continue;
    grid.push(
      snapshot.children(row).filter((at) => isHeader(scene, at) || snapshot.role(at) === Role.tableCell),
    );
  }
  const width = grid[0]?.length ?? 0;
  return width > 0 && grid.every((cells) => cells.length === width) ? grid : undefined;
}

const TABLES: ReadonlySet<number> = new Set([Role.table, Role.treeTable]);

/** Is a cell a heading, empty, below one of its column or beside one of its row? */
export function hasHeader(scene: Scene, grid: readonly (readonly number[])[], x: number, y: number): boolean {
  const cells = grid[y] ?? [];
  const cell = cells[x] ?? 0;
  if (isHeader(scene, cell) || scene.content(cell) === "") return true;
  return grid.some((row) => isHeader(scene, row[x] ?? cell)) || cells.some((other) => isHeader(scene, other));
}
