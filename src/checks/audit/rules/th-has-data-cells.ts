import { Role } from "../../../desktop/roles.ts";
import { gridOf, isHeader } from "../grid.ts";
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
    for (const table of scene.ofRole(Role.table)) {
      const grid = gridOf(scene, table);
      if (grid === undefined) continue;
      for (const [y, cells] of grid.entries()) {
        for (const [x, cell] of cells.entries()) {
          if (!isHeader(scene, cell)) continue;
          const below = grid.slice(y + 1).map((row) => row[x] ?? cell);
          const headsAny = [...below, ...cells.slice(x + 1)].some((other) => !isHeader(scene, other));
          if (headsAny) tell.pass(cell);
          else tell.fail(cell, "the table heading belongs to no cell");
        }
      }
    }
  },
};
