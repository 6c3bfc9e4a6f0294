import type { Reading } from "../desktop/desktop.ts";
import { MADE_UP } from "../desktop/item.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { hasState, State } from "../desktop/states.ts";

/** What a click, Return or space makes do what it is for. */
const PRESSED: ReadonlySet<number> = new Set([
  Role.pushButton,
  Role.pushButtonMenu,
  Role.toggleButton,
  Role.checkBox,
  Role.radioButton,
  Role.switch,
  Role.menu,
  Role.menuItem,
  Role.checkMenuItem,
  Role.radioMenuItem,
  Role.tearoffMenuItem,
  Role.link,
  Role.pageTab,
  Role.listItem,
  Role.treeItem,
  Role.tableRow,
  Role.tableCell,
  Role.icon,
  Role.comboBox,
]);
/** Items of lists are chosen, whether or not they are called something. */
const CHOSEN: ReadonlySet<number> = new Set([
  Role.listItem,
  Role.treeItem,
  Role.tableRow,
  Role.tableCell,
  Role.comboBox,
  Role.pageTab,
]);
const MENU_ITEMS: ReadonlySet<number> = new Set([
  Role.menuItem,
  Role.checkMenuItem,
  Role.radioMenuItem,
  Role.tearoffMenuItem,
]);
/** What a click gives the focus or a number, and nothing else. */
const WRITTEN: ReadonlySet<number> = new Set([
  Role.text,
  Role.entry,
  Role.passwordText,
  Role.spinButton,
  Role.editbar,
  Role.documentText,
  Role.slider,
  Role.scrollBar,
  Role.dial,
  Role.terminal,
]);
/** What others lie in: what it is called says nothing of a click in it. */
const AROUND: ReadonlySet<number> = new Set([
  Role.application,
  Role.frame,
  Role.window,
  Role.dialog,
  Role.alert,
  Role.panel,
  Role.filler,
  Role.rootPane,
  Role.layeredPane,
  Role.scrollPane,
  Role.splitPane,
  Role.viewport,
  Role.section,
  Role.form,
  Role.grouping,
  Role.landmark,
  Role.article,
  Role.documentFrame,
  Role.documentWeb,
  Role.internalFrame,
  Role.list,
  Role.listBox,
  Role.table,
  Role.tree,
  Role.treeTable,
  Role.toolBar,
  Role.menuBar,
  Role.popupMenu,
  Role.pageTabList,
  Role.separator,
  Role.statusBar,
]);
/** What an application draws by itself: nothing tells what lies where in it. */
const DRAWN: ReadonlySet<number> = new Set([
  Role.invalid,
  Role.canvas,
  Role.drawingArea,
  Role.unknown,
  Role.animation,
  Role.imageMap,
  Role.embedded,
]);
/** What may be empty. */
const LISTS: ReadonlySet<number> = new Set([
  Role.list,
  Role.listBox,
  Role.table,
  Role.tree,
  Role.treeTable,
  Role.scrollPane,
  Role.documentWeb,
  Role.frame,
  Role.window,
]);
/** What composes another: its arrow, its knob. */
const COMPOSED: ReadonlySet<number> = new Set([
  Role.comboBox,
  Role.spinButton,
  Role.scrollBar,
  Role.slider,
]);

/** Levels up to what a label stands in. */
const LEVELS = 6;
/** Rows of what stands inside of a button. */
const INSIDE = 40;
/** Groups that a question names. */
const GROUPS: ReadonlySet<number> = new Set([
  Role.panel,
  Role.grouping,
  Role.section,
  Role.form,
  Role.landmark,
  Role.infoBar,
  Role.article,
  Role.internalFrame,
]);

export function isPressed(role: number): boolean {
  return PRESSED.has(role);
}

export function isMenuItem(role: number): boolean {
  return MENU_ITEMS.has(role);
}

/** Does an application draw it by itself? */
export function isDrawn(role: number): boolean {
  return DRAWN.has(role);
}

/** What is typed into, or takes a number: a click on it does nothing else. What is pressed is none, whatever it says of itself. */
export function isWritten(role: number, statesLow: number, statesHigh: number): boolean {
  return WRITTEN.has(role) || (hasState(statesLow, statesHigh, State.editable) && !PRESSED.has(role));
}

/** The words of an element, and those of what it stands in and holds. */
export interface Words {
  /** The row that does what is done: the button around a label. */
  readonly row: number;
  readonly name: string;
  readonly texts: readonly string[];
  /** Why nothing can be told, as the end of a sentence. */
  readonly unreadable?: string;
}

/** What a row says of what it does. */
export function wordsOf(snapshot: Snapshot, row: number): Words {
  const role = snapshot.role(row);
  // GTK 4 tells of a drawing that takes the keys as of any other area.
  const blank = AROUND.has(role) && snapshot.has(row, "focusable") && snapshot.end(row) === row + 1;
  if (DRAWN.has(role) || (blank && !LISTS.has(role))) {
    return { row, name: snapshot.name(row), texts: [], unreadable: "its application draws it by itself" };
  }
  if (isWritten(role, snapshot.statesLow(row), snapshot.statesHigh(row))) {
    return { row, name: snapshot.name(row), texts: [] };
  }
  const pressed = pressedAround(snapshot, row);
  const own = AROUND.has(role) ? [] : textsOf(snapshot, row);
  if (pressed === undefined) return { row, name: own[0] ?? "", texts: own };
  const texts = [...own, ...pressed === row ? [] : textsOf(snapshot, pressed), ...inside(snapshot, pressed)];
  const name = snapshot.name(pressed) || texts[0] || "";
  const nameless = texts.length === 0 && !CHOSEN.has(snapshot.role(pressed)) &&
    !COMPOSED.has(snapshot.role(snapshot.parent(pressed)));
  return { row: pressed, name, texts, ...(nameless ? { unreadable: "it has no name" } : {}) };
}

/** The same of one element read afresh, without what is around it. */
export function wordsRead({ role, name, description, statesLow, statesHigh }: Reading): readonly string[] {
  if (AROUND.has(role) || isWritten(role, statesLow, statesHigh)) return [];
  return [name, description].filter((text) => text !== "");
}

/** The row itself or the nearest around it that is pressed. */
function pressedAround(snapshot: Snapshot, row: number): number | undefined {
  for (let up = row, n = 0; up > 0 && n <= LEVELS; up = snapshot.parent(up), n++) {
    if (PRESSED.has(snapshot.role(up))) return up;
  }
  return undefined;
}

function textsOf(snapshot: Snapshot, row: number): string[] {
  return [snapshot.name(row), snapshot.description(row)].filter((text) => text !== "" && !MADE_UP.test(text));
}

/** What stands inside of a button, without what is pressed by itself. */
function inside(snapshot: Snapshot, row: number): string[] {
  const texts: string[] = [];
  const end = Math.min(snapshot.end(row), row + INSIDE);
  for (let at = row + 1; at < end;) {
    const role = snapshot.role(at);
    if ((PRESSED.has(role) && role !== Role.tableCell) || WRITTEN.has(role)) {
      at = snapshot.end(at);
      continue;
    }
    texts.push(...textsOf(snapshot, at));
    at++;
  }
  return texts;
}

/** What tells a row from others that are called the same: its item of a list, its group, its window. */
export function apartOf(snapshot: Snapshot, row: number): { item: string; group: string; window: string } {
  const item = snapshot.element(row).fingerprint.item?.content ?? "";
  let group = "";
  let top = row;
  for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) {
    if (group === "" && GROUPS.has(snapshot.role(up))) group = snapshot.name(up);
    top = up;
  }
  const window = top === row ? "" : snapshot.name(top);
  return { item, group: MADE_UP.test(group) ? "" : group, window };
}
