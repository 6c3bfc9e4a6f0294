import { Role } from "../roles.ts";
import type { Columns } from "../snapshot.ts";
import { State } from "../states.ts";

/** Roles that Swing gives to what draws an item, and not to the item. */
const DRAWN: ReadonlySet<number> = new Set([Role.label, Role.panel, Role.unknown, Role.filler]);

/** What an item is inside of what; what is inside of an item of a tree is one as well. */
const ITEMS: ReadonlyMap<number, number> = new Map([
  [Role.list, Role.listItem],
  [Role.table, Role.tableCell],
  [Role.tree, Role.treeItem],
  [Role.treeItem, Role.treeItem],
]);
/** Check and radio items of a menu have the role of the buttons. */
const MENU_ITEMS: ReadonlyMap<number, number> = new Map([
  [Role.checkBox, Role.checkMenuItem],
  [Role.radioButton, Role.radioMenuItem],
]);

/** What a child with this role is to one with that of its parent; undefined: what it says. */
function roleIn(parent: number | undefined, role: number): number | undefined {
  if (parent === Role.menu || parent === Role.popupMenu) return MENU_ITEMS.get(role);
  return parent !== undefined && DRAWN.has(role) ? ITEMS.get(parent) : undefined;
}

/**
 * Swing calls the items of its lists, tables, trees and combo boxes after what draws them (`label`), cells and rows of
 * trees never SELECTABLE, and all tabs FOCUSED once one is. Says it as the other toolkits do. `root` is the role of row 0 where it is not the whole
 * application that is read.
 */
export function tellItems(
  { count, role, parent, states }: Pick<Columns, "count" | "role" | "parent" | "states">,
  root?: number,
): void {
  if (root !== undefined) role[0] = itemRole(role[0] ?? 0, root);
  for (let row = 0; row < count; row++) {
    const own = role[row] ?? 0;
    const item = row === 0 ? undefined : roleIn(role[parent[row] ?? 0], own);
    if (item !== undefined) role[row] = item;
    if (role[row] === Role.tableCell || role[row] === Role.treeItem) {
      states[2 * row] = (states[2 * row] ?? 0) | (1 << State.selectable);
    } else if (role[row] === Role.pageTab) {
      states[2 * row] = (states[2 * row] ?? 0) & ~(1 << State.focused);
    }
  }
}

/** The role of an element that is read alone and is known to be `expected`: its parent told that. */
function itemRole(role: number, expected: number): number {
  const drawn = DRAWN.has(role) && [...ITEMS.values()].includes(expected);
  return drawn || MENU_ITEMS.get(role) === expected ? expected : role;
}
