import { Role } from "../../../desktop/roles.ts";
import { gridOf, hasHeader, isHeader } from "../grid.ts";
import { RELATIONSHIPS, type Rule } from "../rule.ts";

/** Every cell of a larger table has a heading. */
export const tdHasHeader: Rule = {
  id: "td-has-header",
  criterion: RELATIONSHIPS,
  section508: ["502.3.3", "E207.2"],
  impact: "critical",
  help: "Every cell of a larger table has a heading.",
  suggestion: "Give every column or every row a heading (<th>).",
  check(scene, tell) {
    for (const table of scene.ofRole(Role.table)) {
      const grid = gridOf(scene, table);
      if (grid === undefined || grid.length < 3 || (grid[0]?.length ?? 0) < 3) continue;
      if (!grid.some((cells) => cells.some((cell) => isHeader(scene, cell)))) {
        tell.unsure(table, "the table has no headings; it is not reported whether it is for data or layout");
        continue;
      }
      const lacking = grid.flatMap((cells, y) => cells.filter((_, x) => !hasHeader(scene, grid, x, y)));
      const [first] = lacking;
      if (first === undefined) tell.pass(table);
      else {tell.fail(
          table,
          `${lacking.length} cells have no heading, ${JSON.stringify(scene.content(first))} first`,
        );}
    }
  },
};
