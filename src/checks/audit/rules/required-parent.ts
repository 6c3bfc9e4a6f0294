import { Role } from "../../../desktop/roles.ts";
import { wordOf } from "../../../desktop/vocabulary.ts";
import { RELATIONSHIPS, type Rule } from "../rule.ts";

const tables = new Set<number>([
  Role.table,
  Role.treeTable,
  Role.tree,
  Role.tableRow,
  Role.documentSpreadsheet,
  Role.list,
  Role.layeredPane,
]);
/** In what each of these must be, however deep. */
const WANTED: ReadonlyMap<number, ReadonlySet<number>> = new Map<number, ReadonlySet<number>>([
  [
    Role.listItem,
    new Set<number>([Role.list, Role.listBox, Role.comboBox, Role.menu, Role.popupMenu, ...tables]),
  ],
  [Role.pageTab, new Set<number>([Role.pageTabList])],
  [Role.treeItem, new Set<number>([Role.tree, Role.treeTable, Role.list, Role.table])],
  [Role.tableRow, tables],
]);

/** Items, tabs and rows are in a list, a row of tabs, a tree or a table. */
export const requiredParent: Rule = {
  id: "required-parent",
  criterion: RELATIONSHIPS,
  section508: ["502.3.1", "502.3.5", "E207.2"],
  impact: "critical",
  help: "Items, tabs and rows are in a list, a row of tabs, a tree or a table.",
  suggestion: "Put it into a container of the role that belongs to it, or give it another role.",
  check(scene, tell) {
    // Chromium tells an item that is in no list as a section.
    for (const row of scene.ofRole(Role.section)) {
      const declared = scene.declaredRole(row);
      if (declared === "listitem" || (declared === "" && scene.attribute(row, "tag") === "li")) {
        tell.fail(row, "the list item is in nothing that such a thing belongs in");
      }
    }
    for (const [role, wanted] of WANTED) {
      for (const row of scene.ofRole(role)) {
        if (scene.ancestor(row, wanted) >= 0) tell.pass(row);
        else tell.fail(row, `the ${wordOf(scene.snapshot, row)} is not in a parent that it belongs in`);
      }
    }
  },
};
