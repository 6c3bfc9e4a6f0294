import { Role } from "../../../desktop/roles.ts";
import { judgeName } from "../named.ts";
import type { Rule } from "../rule.ts";

/** Every item of a tree has a name. */
export const treeitemName: Rule = {
  id: "treeitem-name",
  criterion: undefined,
  section508: [],
  impact: "serious",
  help: "Every item of a tree has a name.",
  suggestion: "Give the item a text, or name it.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.treeItem)) {
      judgeName(scene, tell, row, "the item of the tree");
    }
  },
};
