import { closest } from "../base/closest.ts";
import { allRoles, Role, type RoleInfo, roleOf } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";

/** Spellings beside our own words and the names of AT-SPI roles; letters only, since others are dropped before. */
const ALIASES: Readonly<Record<string, string>> = {
  textbox: "textfield",
  input: "textfield",
  edit: "textfield",
  textinput: "textfield",
  textview: "textarea",
  password: "passwordfield",
  passwordbox: "passwordfield",
  btn: "button",
  combo: "combobox",
  dropdown: "combobox",
  select: "combobox",
  popupbutton: "combobox",
  radiobutton: "radio",
  check: "checkbox",
  menubaritem: "menu",
  tabpanel: "panel",
  pagetab: "tab",
  notebook: "tablist",
  listbox: "list",
  option: "listitem",
  gridcell: "cell",
  tablecell: "cell",
  tablerow: "row",
  grid: "table",
  progress: "progressbar",
  img: "image",
  picture: "image",
  div: "group",
  box: "filler",
  app: "application",
  hyperlink: "link",
  anchor: "link",
  scrollpane: "scrollarea",
  scrollview: "scrollarea",
  splitter: "separator",
  spinner: "spinbutton",
  toggle: "togglebutton",
  messagebox: "alert",
};

function letters(word: string): string {
  return word.toLowerCase().replace(/[\s_-]+/g, "");
}

/** AX roles that tools ask for and that a Linux tree says otherwise: the AX role or subrole meant. */
const AX_ALIASES: Readonly<Record<string, string>> = { AXSheet: "AXDialog", AXTextView: "AXTextArea" };

/** AX roles and subroles that only macOS tells. */
const MAC_ONLY = (
  "AXDrawer AXGrowArea AXColumn AXRadioGroup AXValueIndicator AXBusyIndicator AXRelevanceIndicator AXDisclosureTriangle " +
  "AXSplitter AXTimeField AXMatte AXDockItem AXRulerMarker AXGrid AXLayoutItem AXHandle AXPopover AXPage AXListMarker " +
  "AXDateTimeArea AXSystemWide AXCloseButton AXMinimizeButton AXZoomButton AXToolbarButton AXFullScreenButton AXSystemDialog " +
  "AXFloatingWindow AXDecorative AXIncrementArrow AXDecrementArrow AXIncrementPage AXDecrementPage AXSortButton AXSearchField " +
  "AXTimeline AXContentList AXCollectionList AXSectionList AXTextAttachment AXTextLink AXApplicationDialog"
).split(" ");

const words = new Set(allRoles.flatMap((role) => role.words));
const axNames = new Set<string>(["AXMenuBarItem", ...Object.keys(AX_ALIASES), ...MAC_ONLY]);
for (const role of allRoles) {
  axNames.add(role.ax);
  if (role.subrole !== undefined) axNames.add(role.subrole);
}

const spellings = new Map<string, string>();
for (const role of allRoles) {
  if (role.name !== "unknown" && !spellings.has(letters(role.name))) {
    spellings.set(letters(role.name), role.word);
  }
}
for (const [alias, word] of Object.entries(ALIASES)) spellings.set(alias, word);
for (const word of words) spellings.set(letters(word), word);
const axByLetters = new Map([...axNames].map((name) => [name.toLowerCase(), name]));

/** All words a selector's type may be, in alphabetical order. */
export const roleWords: readonly string[] = [...words].sort();

/**
 * The canonical type for what a person wrote: a word of ours ("button" for "push-button" or "Push Button"), or an AX
 * role or subrole as it stands ("AXButton"). Undefined when there is no such role.
 */
export function canonicalType(written: string): string | undefined {
  if (/^AX/i.test(written)) {
    const ax = axByLetters.get(written.toLowerCase());
    if (ax !== undefined) return ax;
  }
  return spellings.get(letters(written));
}

/** The nearest known types to a misspelt one. */
export function nearTypes(written: string): string[] {
  return closest(written, /^AX/.test(written) ? axNames : new Set([...words, ...spellings.keys()]));
}

const macOnly: ReadonlySet<string> = new Set(MAC_ONLY);

/** Is it a role or subrole that only macOS tells, whatever role of ours it counts as? */
export function isMacOnly(type: string): boolean {
  return macOnly.has(type);
}

/** Does the type (canonical: a word, an AX role or subrole) mean this role? Context is left out: see `axOf`. */
export function typeMeans(type: string, role: RoleInfo): boolean {
  if (!type.startsWith("AX")) return role.words.includes(type);
  const wanted = AX_ALIASES[type] ?? type;
  return role.ax === wanted || role.subrole === wanted;
}

/**
 * The AX role of a row where it stands, as macOS tells it; elsewhere by its role: what AT-SPI calls a menu is an AXMenuBarItem in a menu bar and an AXMenuItem
 * in a menu, since AT-SPI makes one element of the item and the menu it opens.
 */
export function axOf(snapshot: Snapshot, row: number): { readonly role: string; readonly subrole?: string } {
  const native = snapshot.nativeRole(row);
  if (native !== "") {
    const [role = native, subrole] = native.split(" ");
    return subrole === undefined ? { role } : { role, subrole };
  }
  const info = roleOf(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row));
  if (info.role === Role.menu || info.role === Role.menuItem) {
    const up = snapshot.parent(row);
    const above = up < 0 ? -1 : snapshot.role(up);
    if (above === Role.menuBar) return { role: "AXMenuBarItem" };
    if ((above === Role.menu || above === Role.popupMenu) && info.role === Role.menu) {
      return { role: "AXMenuItem" };
    }
  }
  return info.subrole === undefined ? { role: info.ax } : { role: info.ax, subrole: info.subrole };
}

/** The name of a row's role in our vocabulary. */
export function wordOf(snapshot: Snapshot, row: number): string {
  return roleOf(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row)).word;
}

const INTERACTIVE = new Set([
  "button",
  "menubutton",
  "checkbox",
  "radio",
  "switch",
  "togglebutton",
  "textfield",
  "textarea",
  "passwordfield",
  "combobox",
  "slider",
  "spinbutton",
  "dial",
  "link",
  "menu",
  "menuitem",
  "checkmenuitem",
  "radiomenuitem",
  "tearoffmenuitem",
  "tab",
  "listitem",
  "treeitem",
  "row",
  "cell",
  "columnheader",
  "icon",
  "dateeditor",
  "autocomplete",
  "terminal",
]);

/** Can a person act on an element of this word? Labels, windows and boxes are not interactive. */
export function isInteractive(word: string): boolean {
  return INTERACTIVE.has(word);
}
