import { Role } from "../../desktop/roles.ts";
import { type Detector, ideas, reasons, SURE, WEAK } from "../detector.ts";
import type { Scene } from "../scene.ts";

/** Of the window, or of what there is on a page, that the table must take to be what it is about. */
const MAIN = 0.4;

interface Table {
  readonly table: number;
  readonly headers: readonly number[];
  readonly first: number | undefined;
}

/** The table with the most to see that has two columns and a row. */
function tableOf(scene: Scene): Table | undefined {
  const { snapshot } = scene;
  let best: Table | undefined;
  for (const table of scene.of("table")) {
    // A grid of icons is a table to GTK 4.
    if (snapshot.name(table) === "GtkGridView") continue;
    const end = snapshot.end(table);
    const within = (row: number) => row > table && row < end;
    const cells = scene.of("cell", "item", "row").filter(within);
    const headers = scene.of("header").filter(within);
    const columns = headers.length > 0 ? headers.length : columnsOf(scene, table);
    if (columns < 2 || cells.length === 0) continue;
    if (best === undefined || scene.area(table) > scene.area(best.table)) {
      best = { table, headers, first: cells.find((row) => scene.name(row) !== "") ?? cells[0] };
    }
  }
  return best;
}

/** Without headers: cells that stand side by side. GTK 4 names what heads a column after its class. */
function columnsOf(scene: Scene, table: number): number {
  const { snapshot } = scene;
  const end = snapshot.end(table);
  const titles =
    scene.of("filler").filter((row) =>
      row > table && row < end && snapshot.name(row) === "GtkColumnViewTitle"
    ).length;
  if (titles > 0) return titles;
  const beside = new Map<string, number>();
  for (const cell of scene.of("cell")) {
    // A picture before a text makes no column.
    if (cell < table || cell >= end || scene.name(cell) === "") continue;
    const parent = snapshot.parent(cell);
    const rect = snapshot.rect(cell);
    const key = snapshot.role(parent) === Role.tableRow ? `row ${parent}` : `at ${rect?.y ?? cell}`;
    beside.set(key, (beside.get(key) ?? 0) + 1);
    if (beside.size > 8) break;
  }
  return Math.max(0, ...beside.values());
}

/** A table or tree with two columns or more, and something in them. */
export const tableView: Detector = {
  name: "table_view",
  detect(scene) {
    const found = tableOf(scene);
    if (found === undefined) return undefined;
    const { table, headers, first } = found;
    const rows = (scene.snapshot.end(table) - table) / Math.max(1, scene.size);
    const main = (scene.share(table) ?? 0) >= MAIN || (scene.page >= 0 && rows >= MAIN);
    return {
      confidence: main ? SURE : WEAK,
      reasons: reasons(
        [table, "a table"],
        ...headers.slice(0, 2).map((row) => [row, "heads a column"] as const),
        [first, "is in it"],
      ),
    };
  },
  suggest(scene) {
    const found = tableOf(scene);
    return ideas(
      [found?.table, "ax_get_tree", "Read the table: as root_query"],
      [found?.first, "ax_click", "Select the first cell"],
      [found?.headers[0], "ax_click", "Sort by the first column"],
    );
  },
};
