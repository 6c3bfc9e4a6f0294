import { Role } from "../../../desktop/roles.ts";
import { wordOf } from "../../../desktop/vocabulary.ts";
import { BOXES, MENU_ITEMS } from "../kinds.ts";
import { RELATIONSHIPS, type Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";

const menus = new Set<number>([...MENU_ITEMS, Role.menu, Role.popupMenu, Role.separator, Role.grouping]);
/** What each container must hold something of. */
const WANTED: ReadonlyMap<number, ReadonlySet<number>> = new Map<number, ReadonlySet<number>>([
  [Role.list, new Set<number>([Role.listItem, Role.icon, ...menus])],
  [Role.listBox, new Set<number>([Role.listItem, Role.icon, ...menus])],
  [Role.tree, new Set<number>([Role.treeItem, Role.tableCell, Role.tableRow, Role.listItem])],
  [Role.menuBar, menus],
  [Role.pageTabList, new Set<number>([Role.pageTab])],
]);

/** What a container holds, boxes without a meaning looked through. */
function ownedBy(scene: Scene, row: number): number[] {
  return scene.snapshot.children(row).flatMap((child) =>
    !scene.visible(child) ? [] : BOXES.has(scene.snapshot.role(child)) ? ownedBy(scene, child) : [child]
  );
}

/** What is a list, a tree, a menu bar or a row of tabs holds items, tabs or menus. */
export const requiredChildren: Rule = {
  id: "required-children",
  criterion: RELATIONSHIPS,
  section508: ["502.3.1", "502.3.5", "E207.2"],
  impact: "critical",
  help: "What is a list, a tree, a menu bar or a row of tabs holds items, tabs or menus.",
  suggestion: "Give what it holds the role that belongs to it, or the container another one.",
  check(scene, tell) {
    for (const [role, wanted] of WANTED) {
      for (const row of scene.ofRole(role)) {
        const owned = ownedBy(scene, row);
        if (owned.length === 0 || owned.some((child) => wanted.has(scene.snapshot.role(child)))) {
          tell.pass(row);
        } else {
          const word = wordOf(scene.snapshot, row);
          tell.fail(row, `the ${word} has none of the children that a ${word} needs`);
        }
      }
    }
  },
};
