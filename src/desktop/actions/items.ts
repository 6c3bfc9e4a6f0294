import { BackstepError } from "../../base/error.ts";
import { closest } from "../../base/closest.ts";
import { Interface } from "../interfaces.ts";
import { MADE_UP } from "../item.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { popoverAround } from "../popover.ts";
import { isQuickCombo, quickFieldOf } from "../quick.ts";
import { isGtk3, isGtk4, isQt } from "../toolkits.ts";
import { cut } from "../describe.ts";
import { quote } from "../quote.ts";
import { ancestors } from "../ancestors.ts";

/** Items named in an error. */
export const SHOWN = 10;
/** Of them, those in a message. */
const NAMED = 6;
/** What can be chosen in a container. */
const ITEMS: ReadonlySet<number> = new Set([
  Role.listItem,
  Role.menuItem,
  Role.checkMenuItem,
  Role.radioMenuItem,
  Role.pageTab,
  Role.treeItem,
  Role.tableRow,
  Role.tableCell,
  Role.icon,
]);
const ROWS: ReadonlySet<number> = new Set([Role.listItem, Role.tableRow, Role.tableCell]);
/** What items are chosen in. */
const CONTAINERS: ReadonlySet<number> = new Set([
  Role.comboBox,
  Role.list,
  Role.listBox,
  Role.pageTabList,
  Role.tree,
  Role.treeTable,
  Role.table,
  Role.layeredPane,
]);

/** Is it one of several things of which one is chosen? */
export function isItem(role: number): boolean {
  return ITEMS.has(role);
}

/** Does it hold things to choose from? */
export function isContainer(role: number): boolean {
  return CONTAINERS.has(role);
}

/** The container that an item is chosen in: its combo box before the list inside it; -1 without one. */
export function containerOf(snapshot: Snapshot, row: number): number {
  const up = ancestors(snapshot, row);
  const combo = up.find((r) => snapshot.role(r) === Role.comboBox);
  return combo ?? up.find((r) => CONTAINERS.has(snapshot.role(r))) ?? -1;
}

/**
 * Can a row be chosen? GTK 3 does not say so of what a flow box holds, which is a table of list items. GTK 4.8 says so of the rows of its list views only once they are: there, one that is in a list of
 * which a row is chosen can be.
 */
export function canBeChosen(snapshot: Snapshot, row: number): boolean {
  if (snapshot.has(row, "selectable")) return true;
  const { application } = snapshot.origin;
  if (!ROWS.has(snapshot.role(row)) || !isGtk3(application) && !isGtk4(application)) return false;
  const container = containerOf(snapshot, row);
  if (container < 0 || !snapshot.implements(container, Interface.selection)) return false;
  if (isGtk3(application)) {
    return snapshot.role(row) === Role.listItem && snapshot.role(container) === Role.table;
  }
  return itemRows(snapshot, container).some((other) => snapshot.has(other, "selectable"));
}

/** Rows of the items of a container, in order; items inside of an item are its own. */
export function itemRows(snapshot: Snapshot, container: number): number[] {
  const rows: number[] = [];
  const end = snapshot.end(container);
  const shown = shownPart(snapshot, container);
  let row = container + 1;
  while (row < end) {
    if (row === shown) {
      row = snapshot.end(row);
      continue;
    }
    const role = snapshot.role(row);
    const nested = ITEMS.has(role) || (CONTAINERS.has(role) && role === Role.comboBox);
    if (ITEMS.has(role)) rows.push(row);
    row = nested ? snapshot.end(row) : row + 1;
  }
  return rows;
}

/** What an item says: its name, its text, or those of the first thing inside it that has any (GTK4 rows are nameless). */
export function itemName(snapshot: Snapshot, row: number): string {
  const end = snapshot.end(row);
  for (let r = row; r < end; r++) {
    const name = snapshot.name(r) || snapshot.text(r);
    if (name !== undefined && name !== "" && !MADE_UP.test(name)) return name;
  }
  return snapshot.name(row);
}

/** The button that opens a combo box, where it is a part of its own (GTK4, GTK3 boxes with an entry). */
export function buttonOf(snapshot: Snapshot, combo: number): number | undefined {
  const top = snapshot.children(combo);
  // GTK4's older box puts a panel around it.
  const below = top.flatMap((row) => snapshot.role(row) === Role.panel ? snapshot.children(row) : []);
  return [...top, ...below].find((row) =>
    snapshot.role(row) === Role.toggleButton || snapshot.role(row) === Role.pushButton
  );
}

/**
 * The list of one item by which a combo box without a button shows what is chosen (AdwComboRow of libadwaita); the list of all items
 * is in its popover.
 */
function shownPart(snapshot: Snapshot, combo: number): number | undefined {
  if (snapshot.role(combo) !== Role.comboBox || !isGtk4(snapshot.origin.application)) return undefined;
  if (buttonOf(snapshot, combo) !== undefined) return undefined;
  for (let row = combo + 1; row < snapshot.end(combo); row++) {
    if (snapshot.role(row) === Role.list && popoverAround(snapshot, row) <= combo) return row;
  }
  return undefined;
}

/** The field that a combo box may be written in, where it has one. */
export function entryOf(snapshot: Snapshot, combo: number): number | undefined {
  // Its field says EDITABLE whether or not it can be written in.
  if (isQuickCombo(snapshot, combo)) {
    return snapshot.has(combo, "editable") ? quickFieldOf(snapshot, combo) : undefined;
  }
  for (let row = combo; row < snapshot.end(combo); row++) {
    if (!snapshot.has(row, "editable")) continue;
    // Chromium's is the box itself, and offers nothing but to be read.
    if (snapshot.implements(row, Interface.editableText)) return row;
    if (row === combo && snapshot.implements(row, Interface.text)) return row;
  }
  return undefined;
}

/**
 * What a combo box shows by itself: its text, its name, or the last text on its button (a GTK4 drop-down keeps "(None)"
 * before it, unseen) or in its list of one item, or the text of the field in it (Qt Quick); undefined when it does not tell. A name that GTK 4 tells is a label,
 * and never what it shows.
 */
export function shownName(snapshot: Snapshot, combo: number): string | undefined {
  if (tellsByNameAlone(snapshot, combo)) return shownByQt(snapshot, combo);
  const field = isQuickCombo(snapshot, combo) ? quickFieldOf(snapshot, combo) : undefined;
  if (field !== undefined) return snapshot.text(field);
  const labelled = isGtk4(snapshot.origin.application);
  const own = snapshot.text(combo) || (labelled ? "" : snapshot.name(combo));
  if (own !== "" && !MADE_UP.test(own)) return own;
  const part = buttonOf(snapshot, combo) ?? shownPart(snapshot, combo);
  if (part === undefined) return undefined;
  for (let row = snapshot.end(part) - 1; row >= part; row--) {
    const name = snapshot.name(row) || snapshot.text(row);
    if (name !== undefined && name !== "" && !MADE_UP.test(name)) return name;
  }
  return undefined;
}

/**
 * Rows of the items that a container has marked as chosen; none where its marks do not tell, as in a combo box that tells by its name
 * alone, and in its list.
 */
export function markedRows(snapshot: Snapshot, container: number): number[] {
  const box = [container, snapshot.parent(container)].find((row) =>
    row >= 0 && snapshot.role(row) === Role.comboBox
  );
  if (box !== undefined && tellsByNameAlone(snapshot, box)) return [];
  return itemRows(snapshot, container).filter((row) => snapshot.has(row, "selected"));
}

/**
 * Does its name alone tell what a combo box has chosen? One of Qt's widgets has marked in its list where the keys went last, whatever
 * came of it: a program that chooses changes no mark.
 */
export function tellsByNameAlone(snapshot: Snapshot, combo: number): boolean {
  return isQt(snapshot.origin.application) && !isQuickCombo(snapshot, combo) &&
    entryOf(snapshot, combo) === undefined;
}

/** Qt calls a box after what it shows, and after its label where that is nothing: no item, or one without a text. */
function shownByQt(snapshot: Snapshot, combo: number): string | undefined {
  const own = snapshot.text(combo) || snapshot.name(combo);
  const names = itemRows(snapshot, combo).map((row) => itemName(snapshot, row));
  if (names.includes(own)) return own;
  if (names.includes("")) return "";
  const beside = snapshot.children(snapshot.parent(combo));
  const labelled = beside.some((row) => snapshot.role(row) === Role.label && snapshot.name(row) === own);
  return labelled || own === "" ? undefined : own;
}

/** What there is to choose, in a sentence. */
function existing(names: readonly string[]): string {
  const named = [...new Set(names)].filter((name) => name !== "");
  const more = named.length > NAMED ? ` and ${named.length - NAMED} more` : "";
  return `There ${named.length === 1 ? "is" : "are"} ${
    named.slice(0, NAMED).map((name) => quote(cut(name, 40))).join(", ")
  }${more}.`;
}

/** The error of a name that no item has, or several have. */
export function noSuchItem(
  container: string,
  name: string,
  names: readonly string[],
  found: number,
): BackstepError {
  const near = closest(name, names);
  const doing = `Cannot choose ${JSON.stringify(name)} in ${container}`;
  if (found > 1) {
    return new BackstepError("ambiguous", `${doing}: ${found} items have this name`, {
      hint: "Click the right one with a selector such as `listitem:nth(2)`.",
    });
  }
  if (names.every((n) => n === "")) {
    return new BackstepError("not_found", `${doing}: its items have no names in the tree`, {
      hint: "Focus it and use the arrow keys, or open it and click an item.",
      details: { count: names.length },
    });
  }
  return new BackstepError("not_found", `${doing}: there is no such item`, {
    hint: near.length > 0 ? `Did you mean ${near.map((n) => quote(n)).join(" or ")}?` : existing(names),
    details: { items: names.slice(0, SHOWN), count: names.length },
  });
}
