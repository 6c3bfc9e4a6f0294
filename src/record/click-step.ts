import type { Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { MADE_UP } from "../desktop/item.ts";
import { Role } from "../desktop/roles.ts";
import { isQuickCombo } from "../desktop/quick.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isWebRow } from "../desktop/embedded.ts";
import { wordOf } from "../desktop/vocabulary.ts";
import { newState, stateOf } from "./difference.ts";
import type { Gesture } from "./gestures.ts";

/** A verb of workflow files and what it takes beside its target. */
export interface ClickAction {
  readonly verb: string;
  /** It is said by the state that it set. */
  readonly sets: boolean;
  readonly more: Readonly<Record<string, Json>>;
}

/**
 * What a click did, told by the difference that it made: a state that was set is set again; anything else is clicked. Rows
 * and tabs are clicked: a click may do more than choose them.
 */
export function clickActionOf(
  gesture: Gesture & { readonly do: "click" },
  before: Snapshot,
  row: number,
  after: Snapshot | undefined,
): ClickAction {
  const { button, count, modifiers } = gesture;
  const plain = button === "left" && modifiers.length === 0;
  const state = plain && count === 1 && !isInMenu(before, row) ? newState(before, row, after) : undefined;
  if (state !== undefined) return { verb: "set", sets: true, more: { value: state } };
  // A click on the radio button that is chosen already, or on a slider at its end, changes nothing that could be seen. One on
  // a toggle that stands as before did something else: it springs back, or turned what is not looked at yet. One into a field
  // of numbers gives it the keyboard.
  const kept = after && plain && count === 1 && KEEPS.has(wordOf(before, row))
    ? stateOf(before, row)
    : undefined;
  if (kept !== undefined) return { verb: "set", sets: true, more: { value: kept } };
  return {
    verb: "click",
    sets: false,
    more: defined({
      button: button === "left" ? undefined : button,
      count: count === 1 ? undefined : count,
      modifiers: modifiers.length === 0 ? undefined : [...modifiers],
    }),
  };
}

/** What a click may leave as it is. */
const KEEPS: ReadonlySet<string> = new Set(["radio", "slider", "dial"]);

/** An item of a menu closes it: what it sets is hidden by then. */
function isInMenu(snapshot: Snapshot, row: number): boolean {
  return wordOf(snapshot, row).endsWith("menuitem") || snapshot.role(row) === Role.menu;
}

/**
 * The box that a row drops down from, or is a part of; -1: none. A field in a box is a field, but for that of Qt Quick which only
 * shows what is chosen.
 */
export function comboOf(snapshot: Snapshot, row: number): number {
  const box = snapshot.parent(row);
  if (snapshot.has(row, "editable")) {
    return box > 0 && isQuickCombo(snapshot, box) && !snapshot.has(box, "editable") ? box : -1;
  }
  for (let at = row; at > 0; at = snapshot.parent(at)) {
    if (snapshot.role(at) === Role.comboBox) return at;
  }
  return -1;
}

const ITEMS: ReadonlySet<number> = new Set([
  Role.menuItem,
  Role.listItem,
  Role.tableCell,
  Role.checkMenuItem,
]);

/** Is it something that can be chosen of a list? */
export function isItem(snapshot: Snapshot, row: number): boolean {
  return ITEMS.has(snapshot.role(row));
}

/** What opens the list or menu that an item hangs in; the row itself where it hangs in none. */
export function openerOf(snapshot: Snapshot, row: number): number {
  const combo = isItem(snapshot, row) ? comboOf(snapshot, row) : -1;
  if (combo >= 0) return combo;
  if (isWebRow(snapshot, row)) return row;
  let opener = row;
  for (let at = row; at > 0; at = snapshot.parent(at)) {
    if (snapshot.role(at) === Role.menuBar) return opener;
    opener = at;
  }
  return row;
}

/** What an item of a list is called: by its name, else by what is in it; "": nothing says. */
export function itemName(snapshot: Snapshot, row: number): string {
  for (let at = row; at < snapshot.end(row); at++) {
    const name = snapshot.name(at);
    if (name !== "" && !MADE_UP.test(name)) return name;
  }
  return "";
}
