import type { Application, Reading } from "../element.ts";
import { Role } from "../roles.ts";
import { isGtk, isQt, isSwing, isWeb } from "../toolkits.ts";
import { actionWord } from "./action.ts";
import { takesText } from "./focus.ts";
import { isIn } from "./label.ts";

/**
 * What an action does, in the application's own account (docs/reference/action-names.md, measured anew by
 * `tests/truth_actions_test.ts`):
 *
 * - `click`: what a single left click does; nothing else stands for one.
 * - `submit`: what Return does in a field; a dialog's default button is pressed with it.
 * - `activate`: what a double click or Return does to a row.
 * - `select`: the row is chosen, or let go of; nobody hears of a click.
 * - `edit`, `expand`, `focus`, `step`, `menu`: a cell is edited, a row opened, the focus moved, a number stepped, a
 *   context menu opened.
 * - `unknown`: whatever the application likes.
 */
export type Meaning =
  | "click"
  | "submit"
  | "activate"
  | "select"
  | "edit"
  | "expand"
  | "focus"
  | "step"
  | "menu"
  | "unknown";

/** What is chosen among others, and may do something of its own when it is clicked. Tabs only show their page. */
const ROWS: ReadonlySet<number> = new Set([
  Role.listItem,
  Role.treeItem,
  Role.tableRow,
  Role.tableCell,
  Role.icon,
]);

/** Numbers along a track: where they are clicked tells what they become. */
const TRACKS: ReadonlySet<number> = new Set([Role.slider, Role.scrollBar, Role.dial]);
/** What shows a menu or a list when it is clicked. */
const OPENERS: ReadonlySet<number> = new Set([
  Role.menu,
  Role.menuItem,
  Role.comboBox,
  Role.pushButtonMenu,
]);

/** Names that mean the same on everything, in every toolkit. */
const NAMES: ReadonlyMap<string, Meaning> = new Map([
  ["setfocus", "focus"],
  ["increase", "step"],
  ["increment", "step"],
  ["decrease", "step"],
  ["decrement", "step"],
  ["showcontextmenu", "menu"],
  ["expand or contract", "expand"],
  // Swing.
  ["toggleexpand", "expand"],
  // A click would bring the keyboard along.
  ["togglepopup", "expand"],
  ["notify-field-accept", "submit"],
  // macOS.
  ["confirm", "submit"],
  ["raise", "focus"],
  ["edit", "edit"],
]);

/** What a left click is called, best first, on what is neither a field nor a row. */
const CLICKS = [
  "press",
  "click",
  "activate",
  "jump",
  "open",
  "toggle",
  "check",
  "uncheck",
  "dodefault",
  "select",
  "clickancestor",
  "pick",
  "showmenu",
] as const;
/** The same on a row or a cell: only on the web, where it reaches the page as a click does. */
const ROW_CLICKS: ReadonlySet<string> = new Set([
  "click",
  "press",
  "jump",
  "select",
  "dodefault",
  "clickancestor",
]);

/** Is it a row, a cell or an icon of a view: something whose click may be more than a choice? */
export function isRow(role: number, selectable: boolean): boolean {
  // An icon that nobody can choose is a button in a field, or a picture.
  return ROWS.has(role) && (role !== Role.icon || selectable);
}

/** What an action of an element does. Names differ in case between toolkits. */
export function meaningOf(
  name: string,
  reading: Reading,
  application: Pick<Application, "toolkit">,
): Meaning {
  const word = actionWord(name);
  const always = NAMES.get(word);
  if (always !== undefined) return always;
  if (isRow(reading.role, isIn(reading, "selectable"))) return meaningOnRow(word, application);
  // A page gets a click from it. It would have the keyboard, too: that is for `press` to decide.
  if (takesText(reading)) {
    return word === "activate" && !isWeb(application) ? "submit" : onText(word, application);
  }
  if (TRACKS.has(reading.role)) return "unknown";
  if (word === "showmenu") return OPENERS.has(reading.role) || isIn(reading, "hasPopup") ? "click" : "menu";
  return CLICKS.some((click) => click === word) ? "click" : "unknown";
}

function onText(word: string, application: Pick<Application, "toolkit">): Meaning {
  return isWeb(application) && word === "activate" ? "click" : "unknown";
}

function meaningOnRow(word: string, application: Pick<Application, "toolkit">): Meaning {
  if (isGtk(application)) return word === "activate" ? "activate" : word === "toggle" ? "click" : "unknown";
  if (isQt(application)) return word === "toggle" ? "select" : "unknown";
  if (isSwing(application)) return word === "click" ? "select" : "unknown";
  if (isWeb(application)) return ROW_CLICKS.has(word) ? "click" : "unknown";
  return word === "click" || word === "press" ? "click" : "unknown";
}

/** The action that a single left click on an element is, as the element spells it; undefined: none is. */
export function clickAction(reading: Reading, application: Pick<Application, "toolkit">): string | undefined {
  const clicks = reading.actions.filter((name) => meaningOf(name, reading, application) === "click");
  for (const want of CLICKS) {
    const found = clicks.find((name) => actionWord(name) === want);
    if (found !== undefined) return found;
  }
  return clicks[0];
}
