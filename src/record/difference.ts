import type { Window } from "../desktop/desktop.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isGtk4 } from "../desktop/toolkits.ts";
import { wordOf } from "../desktop/vocabulary.ts";

/** What of a control a person can set, and a step can set again. */
export type State = boolean | number;

const NUMBERS: ReadonlySet<string> = new Set(["slider", "spinbutton", "dial"]);
const TOGGLES: ReadonlySet<string> = new Set(["checkbox", "switch", "togglebutton"]);

/** The state that a row bears; undefined: it bears none that could be set again. */
export function stateOf(snapshot: Snapshot, row: number): State | undefined {
  const word = wordOf(snapshot, row);
  if (NUMBERS.has(word)) return snapshot.value(row)?.current;
  // Chromium tells what opens details as a toggle button that is never pressed.
  if (opens(snapshot, row)) return snapshot.has(row, "expanded");
  if (TOGGLES.has(word) || snapshot.role(row) === Role.switch) {
    return snapshot.has(row, "checked") || snapshot.has(row, "pressed");
  }
  if (word === "radio") return snapshot.has(row, "checked");
  return undefined;
}

/** Something that shows and hides what is in it, and no menu: those close by themselves. */
function opens(snapshot: Snapshot, row: number): boolean {
  return snapshot.has(row, "expandable") && !snapshot.has(row, "hasPopup") &&
    snapshot.role(row) !== Role.comboBox && snapshot.role(row) !== Role.menu &&
    snapshot.role(row) !== Role.tableCell && snapshot.role(row) !== Role.treeItem;
}

/** The state that an act gave to a row; undefined: it bears none, or has the same as before. */
export function newState(
  before: Snapshot,
  row: number,
  after: Snapshot | undefined,
): State | undefined {
  const now = after?.rowOf(before.element(row)) ?? -1;
  if (after === undefined || now < 0 || after.role(now) !== before.role(row)) return undefined;
  const was = stateOf(before, row), is = stateOf(after, now);
  return is === undefined || is === was ? undefined : is;
}

/** Whether an act opened or closed a row of a tree; undefined: neither, or it is none. */
export function newExpansion(
  before: Snapshot,
  row: number,
  after: Snapshot | undefined,
): boolean | undefined {
  const now = after === undefined ? -1 : sameRow(before, row, after);
  if (after === undefined || now < 0 || !ROWS.has(before.role(row))) return undefined;
  const is = after.has(now, "expanded");
  return is === before.has(row, "expanded") ? undefined : is;
}

/** The row of one look in another: the same element, or, since Qt tells the same cell by ever new addresses, what is alike. -1: none. */
export function sameRow(one: Snapshot, row: number, other: Snapshot): number {
  const same = other.rowOf(one.element(row));
  if (same >= 0 || !ROWS.has(one.role(row))) return same;
  const rect = one.rect(row), holder = other.rowOf(one.element(one.parent(row)));
  if (rect === undefined || holder < 0) return -1;
  return other.children(holder).find((at) => {
    const place = other.rect(at);
    return other.role(at) === one.role(row) && other.name(at) === one.name(row) && place?.x === rect.x &&
      place.y === rect.y;
  }) ?? -1;
}

const ROWS: ReadonlySet<number> = new Set([Role.tableCell, Role.treeItem, Role.listItem, Role.tableRow]);

/**
 * Rows beside one, and itself, that are chosen after an act and were not before, as rows of what came after. A row that moved
 * because another one was opened above it is known by its name: Qt gives it another address, too. One that was not there
 * before was in what was opened, and chosen earlier.
 */
export function newlyChosen(before: Snapshot, row: number, after: Snapshot): number[] {
  const holder = after.rowOf(before.element(before.parent(row)));
  if (holder < 0) return [];
  const chosen = (snapshot: Snapshot, view: number) =>
    snapshot.children(view).filter((one) => snapshot.has(one, "selected"));
  const view = before.parent(row);
  const were = chosen(before, view);
  const isNew = (is: (was: number) => boolean) => {
    const at = were.findIndex(is);
    if (at >= 0) were.splice(at, 1);
    return at < 0;
  };
  return chosen(after, holder).filter((one) => {
    const same = sameRow(after, one, before);
    return isNew((was) => was === same);
  }).filter((one) => {
    const named = (was: number) => before.name(was) === after.name(one);
    return isNew(named) && (sameRow(after, one, before) >= 0 || before.children(view).some(named));
  });
}

/** Windows and dialogs that show, which the window manager knows; popups and tooltips are none. */
export function shownWindows(snapshot: Snapshot, windows: readonly Window[]): number[] {
  const state = isGtk4(snapshot.origin.application) ? "visible" : "showing";
  return snapshot.children(0).filter((row) => {
    if (!snapshot.has(row, state)) return false;
    if (DIALOGS.has(snapshot.role(row))) return true;
    const name = snapshot.name(row);
    return name !== "" && wordOf(snapshot, row) === "window" &&
      windows.some(({ popup, title }) => !popup && title === name);
  });
}

const DIALOGS: ReadonlySet<number> = new Set([Role.dialog, Role.alert, Role.fileChooser]);
