import { Role } from "../../../desktop/roles.ts";
import type { Rule } from "../rule.ts";

/** Every heading of a table says something. */
export const emptyTableHeader: Rule = {
  id: "empty-table-header",
  criterion: undefined,
  section508: ["502.3.3"],
  impact: "minor",
  help: "Every heading of a table says something.",
  suggestion: "Give the column or row a heading; it need not be long.",
  check(scene, tell) {
    for (
      const row of scene.ofRole(
        Role.columnHeader,
        Role.tableColumnHeader,
        Role.rowHeader,
        Role.tableRowHeader,
      )
    ) {
      if (scene.label(row) !== "" || scene.content(row) !== "") tell.pass(row);
      else tell.fail(row, "the table heading is empty");
    }
  },
};
