import { Role } from "../../../desktop/roles.ts";
import { wordOf } from "../../../desktop/vocabulary.ts";
import { BOXES, MENU_ITEMS } from "../kinds.ts";
import { RELATIONSHIPS, type Rule, type Tell } from "../rule.ts";
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

const ITEMS = ["menuitem", "menuitemcheckbox", "menuitemradio", "separator"];
/** What an element with one of these roles may hold and nothing else (WAI-ARIA 1.2, *Allowed Accessibility Child Roles*). */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  feed: ["article"],
  grid: ["row", "rowgroup", "caption"],
  list: ["listitem"],
  listbox: ["option", "group"],
  menu: [...ITEMS, "group"],
  menubar: [...ITEMS, "group"],
  row: ["cell", "gridcell", "columnheader", "rowheader"],
  rowgroup: ["row"],
  table: ["row", "rowgroup", "caption"],
  tablist: ["tab"],
  tree: ["treeitem", "group"],
  treegrid: ["row", "rowgroup", "caption"],
};
/** The roles that tags have of themselves (HTML-AAM). */
const OF_TAG: Readonly<Record<string, string>> = {
  article: "article",
  caption: "caption",
  dd: "definition",
  dt: "term",
  hr: "separator",
  li: "listitem",
  optgroup: "group",
  option: "option",
  tbody: "rowgroup",
  td: "cell",
  tfoot: "rowgroup",
  th: "columnheader",
  thead: "rowgroup",
  tr: "row",
};
/** Roles that mean nothing: what they hold counts as if it were in what holds them. */
const NOTHING: ReadonlySet<string> = new Set(["none", "presentation", "generic"]);

/** The role of an element of a page: as its author says, or else its tag; "" for boxes and texts. */
function roleIn(scene: Scene, row: number): string {
  const declared = scene.declaredRole(row);
  if (declared !== "") return NOTHING.has(declared) ? "" : declared;
  return OF_TAG[scene.attribute(row, "tag")] ?? (BOXES.has(scene.snapshot.role(row)) ? "" : "other");
}

/** What a container holds, boxes without a meaning looked through. */
function ownedBy(scene: Scene, row: number): number[] {
  return scene.snapshot.children(row).flatMap((child) =>
    !scene.visible(child) ? [] : BOXES.has(scene.snapshot.role(child)) ? ownedBy(scene, child) : [child]
  );
}

/** The same on a page, where a box may have a role, and texts between elements say nothing of its structure. */
function ownedOnPage(scene: Scene, row: number): number[] {
  return scene.snapshot.children(row).flatMap((child) => {
    if (!scene.visible(child) || scene.snapshot.role(child) === Role.static) return [];
    return roleIn(scene, child) === "" ? ownedOnPage(scene, child) : [child];
  });
}

/** Judges a container whose role its author declared; false: it is not of those that may hold certain things only. */
function judgeDeclared(scene: Scene, tell: Tell, row: number): boolean {
  const role = scene.declaredRole(row);
  const allowed = ALLOWED[role];
  if (allowed === undefined || !scene.web) return false;
  const owned = ownedOnPage(scene, row);
  const wrong = owned.find((child) => !allowed.includes(roleIn(scene, child)));
  const word = wordOf(scene.snapshot, row);
  if (wrong !== undefined) {
    const other = wordOf(scene.snapshot, wrong);
    tell.fail(row, `the ${word} holds a ${other}, which is nothing that a ${word} is made of`);
  } // What is still empty, or says that it is busy, is filled later.
  else if (owned.length === 0 && scene.content(row) !== "" && !scene.snapshot.has(row, "busy")) {
    tell.fail(row, `the ${word} holds nothing that a ${word} is made of`);
  } else tell.pass(row);
  return true;
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
    const declared = new Set<number>();
    if (scene.web) {
      for (const row of scene.rows) if (judgeDeclared(scene, tell, row)) declared.add(row);
    }
    for (const [role, wanted] of WANTED) {
      for (const row of scene.ofRole(role)) {
        if (declared.has(row)) continue;
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
