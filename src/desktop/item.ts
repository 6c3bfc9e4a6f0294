import type { ItemMark } from "./element.ts";
import { Role } from "./roles.ts";

/** What of a snapshot tells which row is an item. */
export interface Rows {
  role(row: number): number;
  name(row: number): string;
  path(row: number): string;
  /** -1: it is the root. */
  parent(row: number): number;
  /** The row after the last one below it. */
  end(row: number): number;
}

/** What toolkits show one thing after another with: they keep the widget, and its address, and change what it shows. */
const ITEMS: ReadonlySet<number> = new Set([
  Role.listItem,
  Role.treeItem,
  Role.tableRow,
  Role.tableCell,
]);
/** What holds items. */
const ITEM_VIEWS: ReadonlySet<number> = new Set([
  Role.list,
  Role.listBox,
  Role.table,
  Role.tree,
  Role.treeTable,
]);
/** Named after what they hold: that changes with use, and not with what the item stands for. */
const VALUES: ReadonlySet<number> = new Set([
  Role.comboBox,
  Role.progressBar,
  Role.levelBar,
  Role.spinButton,
  Role.text,
  Role.entry,
  Role.passwordText,
]);
/** Names that GTK 4 and libadwaita make up for what has none: the type of the widget. */
export const MADE_UP = /^(?:(?:Gtk|Adw)[A-Z]\w*|Tab)$/;
/** A larger item is no row of a list: a page laid out with tables, a list of articles. */
export const MOST_NODES = 40;
/** Characters of one name, and of all. */
const MOST_NAME = 60;
const MOST = 240;

/**
 * The item of a list, table or tree that a row is or lies in, with what it shows; undefined outside of one, and where
 * role and name of the row say as much: an item without anything inside.
 */
export function itemMarkOf(snapshot: Rows, row: number): ItemMark | undefined {
  const item = itemAround(snapshot, row);
  if (item === undefined || snapshot.end(item) - item > MOST_NODES) return undefined;
  if (item === row && snapshot.end(item) === item + 1) return undefined;
  return { path: snapshot.path(item), content: itemContent(snapshot, item) };
}

/** A list, table or tree. */
export function isItemView(snapshot: Rows, row: number): boolean {
  return ITEM_VIEWS.has(snapshot.role(row));
}

/** Is a row an item right below its list, table or tree? */
export function isItemOf(snapshot: Rows, row: number, view: number): boolean {
  return ITEMS.has(snapshot.role(row)) && snapshot.parent(row) === view && isItemView(snapshot, view);
}

/** Do two rows lie in different items of one list, table or tree? */
export function inOtherItem(snapshot: Rows, row: number, other: number): boolean {
  const one = itemAround(snapshot, row);
  const two = itemAround(snapshot, other);
  if (one === undefined || two === undefined || one === two) return false;
  return snapshot.parent(one) === snapshot.parent(two);
}

/** The nearest item from a row up; a cell's row, which shows more, before the cell. */
function itemAround(snapshot: Rows, row: number): number | undefined {
  for (let up = row; up > 0; up = snapshot.parent(up)) {
    const role = snapshot.role(up);
    if (!ITEMS.has(role)) continue;
    const above = snapshot.parent(up);
    return role === Role.tableCell && snapshot.role(above) === Role.tableRow ? above : up;
  }
  return undefined;
}

/** What an item shows: the names inside of it, in order and in bounds, without those of items below it. */
export function itemContent(snapshot: Rows, item: number): string {
  const end = Math.min(snapshot.end(item), item + MOST_NODES);
  let content = "";
  for (let row = item; row < end && content.length < MOST;) {
    const role = snapshot.role(row);
    if (row > item && ITEMS.has(role) && role !== Role.tableCell) {
      row = snapshot.end(row);
      continue;
    }
    const name = VALUES.has(role) ? "" : snapshot.name(row);
    if (name !== "" && !MADE_UP.test(name)) {
      const short = name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name;
      content += content === "" ? short : ` · ${short}`;
    }
    row++;
  }
  return content.slice(0, MOST);
}
