import { canBeChosen, isContainer, isItem } from "../desktop/actions/items.ts";
import { Interface } from "../desktop/interfaces.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isQt } from "../desktop/toolkits.ts";

/** What an element is to somebody who wants to use it: decides what a click means and what a value is. */
export type Kind =
  | "text"
  | "secure" // a password field
  | "number"
  | "toggle"
  | "radio"
  | "item" // chosen among others: a row, a tab, an item of a combo box
  | "container" // holds items: a list, a combo box, a row of tabs
  | "opener" // opens and closes something: an expander, a menu, a menu button
  | "other"; // a button, a link, a menu item, a label: what it does is not known beforehand

const NUMBERS: ReadonlySet<number> = new Set([Role.spinButton, Role.slider, Role.scrollBar, Role.dial]);
const TOGGLES: ReadonlySet<number> = new Set([
  Role.checkBox,
  Role.switch,
  Role.toggleButton,
  Role.checkMenuItem,
]);
const RADIOS: ReadonlySet<number> = new Set([Role.radioButton, Role.radioMenuItem]);
const TEXTS: ReadonlySet<number> = new Set([Role.text, Role.entry, Role.editbar, Role.documentText]);

const MENUS: ReadonlySet<number> = new Set([Role.popupMenu, Role.menu]);

/** The kind of a row. Popups come before toggles: a toggle button that opens a menu is an opener. */
export function kindOf(snapshot: Snapshot, row: number): Kind {
  const role = snapshot.role(row);
  if (role === Role.passwordText) return "secure";
  if (NUMBERS.has(role) && snapshot.implements(row, Interface.value)) return "number";
  if (role !== Role.comboBox && isWritable(snapshot, row)) return "text";
  if (RADIOS.has(role)) return "radio";
  if (isContainer(role)) return "container";
  if (isItem(role) && isChoosable(snapshot, row)) return "item";
  if (opens(snapshot, row)) return "opener";
  if (isCheckItem(snapshot, row)) return "toggle";
  // GTK4's toggle buttons are push buttons that say PRESSED while they are on.
  if (TOGGLES.has(role) || (role === Role.pushButton && snapshot.has(row, "pressed"))) return "toggle";
  return "other";
}

/** The parts of a date or a time, each of which is set by itself. */
export function partsOf(snapshot: Snapshot, row: number): number[] {
  return snapshot.has(row, "editable")
    ? snapshot.children(row).filter((child) => snapshot.role(child) === Role.spinButton)
    : [];
}

function isWritable(snapshot: Snapshot, row: number): boolean {
  if (snapshot.has(row, "readOnly") || partsOf(snapshot, row).length > 0) return false;
  if (snapshot.has(row, "editable")) return true;
  return TEXTS.has(snapshot.role(row)) && snapshot.implements(row, Interface.editableText);
}

/** A menu item is a command, unless its menu is a combo box's list. */
function isChoosable(snapshot: Snapshot, row: number): boolean {
  const role = snapshot.role(row);
  if (role !== Role.menuItem && role !== Role.checkMenuItem) return canBeChosen(snapshot, row);
  for (let up = snapshot.parent(row); up >= 0; up = snapshot.parent(up)) {
    if (snapshot.role(up) === Role.comboBox) return true;
  }
  return false;
}

function opens(snapshot: Snapshot, row: number): boolean {
  const role = snapshot.role(row);
  if (role === Role.menu || role === Role.pushButtonMenu) return true;
  // Qt's menu is a child of the item that opens it; GTK's menu is that item itself.
  if (role === Role.menuItem && snapshot.children(row).some((child) => MENUS.has(snapshot.role(child)))) {
    return true;
  }
  return snapshot.has(row, "hasPopup") || snapshot.has(row, "expandable");
}

/** Is it an item of a menu of Qt that is checked? Neither its role nor a state tells of one that could be. */
function isCheckItem(snapshot: Snapshot, row: number): boolean {
  return snapshot.role(row) === Role.menuItem && snapshot.has(row, "checked") &&
    isQt(snapshot.origin.application);
}
