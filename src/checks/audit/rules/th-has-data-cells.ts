import { Role } from "../../../desktop/roles.ts";
import { headedBy, isHeader, rowsOf } from "../grid.ts";
import { RELATIONSHIPS, type Rule } from "../rule.ts";

/** Every heading of a table heads something. */
export const thHasDataCells: Rule = {
  id: "th-has-data-cells",
  criterion: RELATIONSHIPS,
  section508: ["502.3.3", "E207.2"],
  impact: "serious",
  help: "Every heading of a table heads something.",
  suggestion: "Take away headings without cells, or make them plain cells.",
  check(scene, tell) {
    for (const table of scene.ofRole(Role.table, Role.treeTable)) {
      const rows = rowsOf(scene, table);
      if (rows === undefined) continue;
      for (const [y, cells] of rows.entries()) {
        for (const [x, cell] of cells.entries()) {
          if (!isHeader(scene, cell)) continue;
          if (headedBy(scene, rows, x, y)) tell.pass(cell);
          else tell.fail(cell, "the table heading belongs to no cell");
        }
      }
    }
  },
};
