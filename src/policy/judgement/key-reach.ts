import { Role } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { behavingAs } from "../../desktop/embedded.ts";
import { isGtk, isGtk4, isQt, isWeb } from "../../desktop/toolkits.ts";
import { bindingsOf, type Chord, isConventional } from "./chord.ts";
import { isDrawn, isMenuItem, isPressed, isWritten } from "./element-words.ts";

/** Who has the keyboard, in one tree. */
export interface KeyView {
  readonly snapshot: Snapshot;
  /** Rows that have the focus, the innermost of each. */
  readonly focused: readonly number[];
  /** Top-level windows in front. */
  readonly windows: readonly number[];
  /** A popup of the application is on the screen. */
  readonly popup: boolean;
}

/** What a chord reaches. */
export interface KeyReach {
  /** These do what they are for. */
  readonly sure: readonly number[];
  /** One of these may: those count whose words say that something is lost. */
  readonly perhaps: readonly number[];
  /** Why it cannot be told, as the end of a sentence. */
  readonly unknown?: string;
  /** What was typed into a terminal is run. */
  readonly script?: boolean;
}

const NOTHING: KeyReach = { sure: [], perhaps: [] };
const CHOICES: ReadonlySet<number> = new Set([
  Role.list,
  Role.listBox,
  Role.table,
  Role.tree,
  Role.treeTable,
  Role.menu,
  Role.popupMenu,
  Role.comboBox,
  Role.pageTabList,
  Role.menuBar,
]);
const DIALOGS: ReadonlySet<number> = new Set([Role.dialog, Role.alert, Role.fileChooser, Role.optionPane]);
const FORMS: ReadonlySet<number> = new Set([
  Role.form,
  Role.dialog,
  Role.alert,
  Role.documentWeb,
  Role.documentFrame,
]);
const NUMBERS: ReadonlySet<number> = new Set([Role.slider, Role.spinButton, Role.scrollBar, Role.dial]);
const CHANGES_CHOICE = new Set("Up Down Left Right Home End PageUp PageDown".split(" "));
/** What ends a line in a terminal, and what pastes into it: a text with line ends is run. */
const RUNS = new Set(
  "Return ctrl+m ctrl+j shift+Insert ctrl+shift+v ctrl+Return shift+Return alt+Return".split(" "),
);

/** What one chord reaches, as far as a tree tells. Reads nothing. */
export function reachOf(view: KeyView, chord: Chord): KeyReach {
  const { snapshot, focused } = view;
  if (focused.some((row) => snapshot.role(row) === Role.terminal)) return inTerminal(view, chord);
  const window = inWindow(view, chord);
  // Whether a menu is open, or what lies in one only shows, is not told everywhere: both count.
  const menu = chord.commands ? NOTHING : inMenu(view, chord);
  const bound = boundTo(view, chord);
  const sure = [...new Set([...bound, ...menu.sure, ...window.sure])];
  const perhaps = [...new Set([...menu.perhaps, ...window.perhaps])];
  // That it is bound says what it does: convention says nothing more.
  if (bound.length > 0 || window.unknown === undefined) return { sure, perhaps };
  return { sure, perhaps, unknown: window.unknown };
}

function inTerminal(view: KeyView, chord: Chord): KeyReach {
  if (RUNS.has(chord.text)) return { ...NOTHING, script: true };
  if (!chord.commands && !/^F\d/.test(chord.key)) return NOTHING;
  const bound = boundTo(view, chord);
  if (bound.length > 0) return { sure: bound, perhaps: [] };
  return isConventional(chord, false) && chord.text !== "ctrl+c" ? NOTHING : unreported(chord);
}

function inMenu(view: KeyView, chord: Chord): KeyReach {
  const { snapshot } = view;
  const open = openItems(view);
  if (open.length === 0) return NOTHING;
  if (chord.key === "Return" || chord.key === "Space") {
    const chosen = open.filter((row) => snapshot.has(row, "selected") || snapshot.has(row, "focused"));
    return chosen.length > 0 ? { sure: chosen, perhaps: [] } : { sure: [], perhaps: open };
  }
  if (chord.character === "") return NOTHING;
  return { sure: [], perhaps: open.filter((row) => hasMnemonic(snapshot, row, chord)) };
}

function inWindow(view: KeyView, chord: Chord): KeyReach {
  const { snapshot, focused } = view;
  const typing = focused.length > 0 && focused.every((row) => isText(snapshot, row));
  const confirms = chord.key === "Return" || chord.key === "Space";
  if (confirms) {
    if (chord.key === "Space" && typing && !chord.commands) return NOTHING;
    return confirmed(view, chord);
  }
  if (!isConventional(chord, typing)) return unreported(chord);
  if (focused.some((row) => isDrawn(snapshot.role(row))) && chord.character !== "") {
    return { ...NOTHING, unknown: "its application draws by itself what has the keys" };
  }
  if (chord.commands) return NOTHING;
  if (CHANGES_CHOICE.has(chord.key)) return { sure: [], perhaps: choicesAt(view) };
  if (chord.character === "" || typing) return NOTHING;
  const types = choicesAt(view);
  // Qt presses a button of a question by its letter alone.
  const asked = view.windows.filter((row) => DIALOGS.has(snapshot.role(row)));
  const letters = within(snapshot, asked, isButton).filter((row) => hasMnemonic(snapshot, row, chord));
  return { sure: [], perhaps: [...types, ...letters] };
}

/** Return, or space. */
function confirmed(view: KeyView, chord: Chord): KeyReach {
  const { snapshot, focused } = view;
  if (focused.length === 0) return nobody(view);
  const sure: number[] = [], perhaps: number[] = [];
  for (const row of focused) {
    const role = snapshot.role(row);
    if (isDrawn(role)) return { ...NOTHING, unknown: "its application draws by itself what has the keys" };
    const text = isText(snapshot, row);
    if (text && chord.key === "Return" && snapshot.has(row, "multiLine") && !chord.commands) continue;
    const number = NUMBERS.has(role);
    if (!text && !number) sure.push(...pressedAt(snapshot, row));
    if (chord.key === "Return" && (text || number || !PRESSES_ITSELF.has(role))) {
      const sent = sentBy(view, row);
      sure.push(...sent.sure);
      perhaps.push(...sent.perhaps);
    }
  }
  return { sure, perhaps };
}

/** What takes Return for itself, so that a default button does not get it. */
const PRESSES_ITSELF: ReadonlySet<number> = new Set([
  Role.pushButton,
  Role.pushButtonMenu,
  Role.link,
  Role.menu,
  Role.menuItem,
  Role.checkMenuItem,
  Role.radioMenuItem,
]);

/** The focus is not told: whatever the window holds may have it. */
function nobody({ snapshot, windows }: KeyView): KeyReach {
  const rows = within(snapshot, windows, (one, row) => isPressed(one.role(row)) && !inClosedMenu(one, row));
  if (rows.length === 0) return { ...NOTHING, unknown: "what has the keyboard focus is unknown" };
  return { sure: [], perhaps: rows };
}

/** What Return in a field sends: the default button where it is told, else what the dialog or form holds. */
function sentBy(
  view: KeyView,
  row: number,
): { readonly sure: readonly number[]; readonly perhaps: readonly number[] } {
  const { snapshot } = view;
  const application = behavingAs(snapshot.origin.application, { path: snapshot.path(row) });
  const scope = isWeb(application) ? [formAround(snapshot, row)] : view.windows;
  const buttons = within(snapshot, scope, isButton);
  const defaults = buttons.filter((one) => snapshot.has(one, "isDefault"));
  if (defaults.length > 0) return { sure: defaults, perhaps: [] };
  const tells = isQt(application) || (isGtk(application) && !isGtk4(application));
  const asks = scope.some((one) => DIALOGS.has(snapshot.role(one)) || snapshot.has(one, "modal"));
  return { sure: [], perhaps: tells && !asks ? [] : buttons };
}

function formAround(snapshot: Snapshot, row: number): number {
  for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) {
    if (FORMS.has(snapshot.role(up))) return up;
  }
  return 0;
}

/** The element itself; of what holds choices, the chosen ones. */
function pressedAt(snapshot: Snapshot, row: number): number[] {
  if (!CHOICES.has(snapshot.role(row))) return [row];
  const chosen = within(
    snapshot,
    [row],
    (one, at) => isPressed(one.role(at)) && (one.has(at, "selected") || one.has(at, "checked")),
  );
  return [row, ...chosen];
}

/** What arrows and letters choose at once: the items of a closed box, the buttons of a group. */
export function choicesOf(snapshot: Snapshot, row: number): number[] {
  const role = snapshot.role(row);
  if (role === Role.radioButton) {
    return snapshot.children(snapshot.parent(row)).filter((one) => snapshot.role(one) === Role.radioButton);
  }
  const box = isText(snapshot, row) ? undefined : boxAround(snapshot, row);
  return box === undefined ? [] : within(snapshot, [box], (one, at) => at !== box && isPressed(one.role(at)));
}

/** The box that something is, or is in: Qt says of an item that it has the keys when the box was open once and is closed. */
function boxAround(snapshot: Snapshot, row: number): number | undefined {
  for (let up = row; up > 0; up = snapshot.parent(up)) {
    if (snapshot.role(up) === Role.comboBox) return up;
  }
  return undefined;
}

/** What arrows choose where the keys are: where no focus is told, in any box that the windows hold. */
function choicesAt({ snapshot, focused, windows }: KeyView): number[] {
  const boxes = within(snapshot, windows, (one, row) => one.role(row) === Role.comboBox);
  return (focused.length > 0 ? focused : boxes).flatMap((row) => choicesOf(snapshot, row));
}

/** Items of menus that are open. */
function openItems({ snapshot, popup }: KeyView): number[] {
  const rows: number[] = [];
  for (let row = 1; row < snapshot.size; row++) {
    const role = snapshot.role(row);
    if (!isMenuItem(role) && role !== Role.menu) continue;
    const parent = snapshot.role(snapshot.parent(row));
    if (parent === Role.menuBar || parent === Role.comboBox) continue;
    // Chromium shows the chosen item of a closed box.
    const box = snapshot.role(snapshot.parent(snapshot.parent(row))) === Role.comboBox;
    if (box && !popup) continue;
    const shows = snapshot.has(row, "showing") && snapshot.has(row, "visible");
    if (shows || (popup && isGtk4(snapshot.origin.application))) rows.push(row);
  }
  return rows;
}

/** The elements that a shortcut or a mnemonic is bound to. */
function boundTo({ snapshot }: KeyView, chord: Chord): number[] {
  const rows: number[] = [];
  if (snapshot.columns.keys === undefined || (!chord.commands && [...chord.key].length === 1)) return rows;
  for (let row = 1; row < snapshot.size; row++) {
    const keys = snapshot.keys(row);
    if (keys !== "" && bindingsOf(keys).chords.includes(chord.text)) rows.push(row);
  }
  return rows;
}

/** Does a letter choose it? Where its mnemonic is not told, any letter of its name may. */
function hasMnemonic(snapshot: Snapshot, row: number, { character }: Chord): boolean {
  const keys = snapshot.keys(row);
  const { mnemonic } = keys === "" ? { mnemonic: undefined } : bindingsOf(keys);
  if (mnemonic !== undefined) return mnemonic === character;
  return snapshot.name(row).toLowerCase().includes(character);
}

function isButton(snapshot: Snapshot, row: number): boolean {
  const role = snapshot.role(row);
  return role === Role.pushButton || role === Role.toggleButton || role === Role.link ||
    role === Role.pushButtonMenu;
}

function isText(snapshot: Snapshot, row: number): boolean {
  return isWritten(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row)) &&
    (!NUMBERS.has(snapshot.role(row)) || snapshot.role(row) === Role.spinButton);
}

function inClosedMenu(snapshot: Snapshot, row: number): boolean {
  return isMenuItem(snapshot.role(row));
}

function within(
  snapshot: Snapshot,
  scopes: readonly number[],
  fits: (snapshot: Snapshot, row: number) => boolean,
): number[] {
  const rows = new Set<number>();
  for (const scope of scopes) {
    for (let row = scope; row < snapshot.end(scope); row++) if (fits(snapshot, row)) rows.add(row);
  }
  return [...rows];
}

function unreported({ text }: Chord): KeyReach {
  return { ...NOTHING, unknown: `nothing tells what ${text} does there` };
}

/**
 * After chords that moved on: whatever those behind them may press, what is near to the focus first. An open menu has the
 * keys; a closed box opens by them.
 */
export function foreseen(view: KeyView, throughMenus: boolean): readonly number[] {
  const { snapshot, windows, focused } = view;
  const open = openItems(view);
  const rows = [
    ...open,
    ...choicesAt(view),
    ...within(
      snapshot,
      throughMenus ? [0] : windows,
      (one, row) => isPressed(one.role(row)) && (throughMenus || !inClosedMenu(one, row)),
    ),
  ];
  const [at = 0] = focused;
  return [...new Set(rows)].toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at));
}
