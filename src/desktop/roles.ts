import { defined } from "../base/defined.ts";
import { hasState, State } from "./states.ts";

/** What a role is called: by number, by our selector word, and by the AX vocabulary of the published tool designs. */
export interface RoleInfo {
  /** AtspiRole number. */
  readonly role: number;
  /** The constant's name in `Role`: "pushButton". */
  readonly name: RoleName | "unknown";
  /** The word of our selectors and outlines: "button". */
  readonly word: string;
  /** Every word of a selector that means it, `word` first: an alert that is a window is also a "dialog". */
  readonly words: readonly string[];
  /** "AXButton". */
  readonly ax: string;
  /** "AXDialog" where the role alone does not say it. */
  readonly subrole?: string;
}

/**
 * The AtspiRole numbers (at-spi2-core 2.46 to 2.56) by name. Numbers are stable, the names that toolkits report are
 * not ("push button" became "button"), so that nothing compares names.
 */
export const Role = {
  invalid: 0,
  acceleratorLabel: 1,
  alert: 2,
  animation: 3,
  arrow: 4,
  calendar: 5,
  canvas: 6,
  checkBox: 7,
  checkMenuItem: 8,
  colorChooser: 9,
  columnHeader: 10,
  comboBox: 11,
  dateEditor: 12,
  desktopIcon: 13,
  desktopFrame: 14,
  dial: 15,
  dialog: 16,
  directoryPane: 17,
  drawingArea: 18,
  fileChooser: 19,
  filler: 20,
  focusTraversable: 21,
  fontChooser: 22,
  frame: 23,
  glassPane: 24,
  htmlContainer: 25,
  icon: 26,
  image: 27,
  internalFrame: 28,
  label: 29,
  layeredPane: 30,
  list: 31,
  listItem: 32,
  menu: 33,
  menuBar: 34,
  menuItem: 35,
  optionPane: 36,
  pageTab: 37,
  pageTabList: 38,
  panel: 39,
  passwordText: 40,
  popupMenu: 41,
  progressBar: 42,
  pushButton: 43,
  radioButton: 44,
  radioMenuItem: 45,
  rootPane: 46,
  rowHeader: 47,
  scrollBar: 48,
  scrollPane: 49,
  separator: 50,
  slider: 51,
  spinButton: 52,
  splitPane: 53,
  statusBar: 54,
  table: 55,
  tableCell: 56,
  tableColumnHeader: 57,
  tableRowHeader: 58,
  tearoffMenuItem: 59,
  terminal: 60,
  text: 61,
  toggleButton: 62,
  toolBar: 63,
  toolTip: 64,
  tree: 65,
  treeTable: 66,
  unknown: 67,
  viewport: 68,
  window: 69,
  extended: 70,
  header: 71,
  footer: 72,
  paragraph: 73,
  ruler: 74,
  application: 75,
  autocomplete: 76,
  editbar: 77,
  embedded: 78,
  entry: 79,
  chart: 80,
  caption: 81,
  documentFrame: 82,
  heading: 83,
  page: 84,
  section: 85,
  redundantObject: 86,
  form: 87,
  link: 88,
  inputMethodWindow: 89,
  tableRow: 90,
  treeItem: 91,
  documentSpreadsheet: 92,
  documentPresentation: 93,
  documentText: 94,
  documentWeb: 95,
  documentEmail: 96,
  comment: 97,
  listBox: 98,
  grouping: 99,
  imageMap: 100,
  notification: 101,
  infoBar: 102,
  levelBar: 103,
  titleBar: 104,
  blockQuote: 105,
  audio: 106,
  video: 107,
  definition: 108,
  article: 109,
  landmark: 110,
  log: 111,
  marquee: 112,
  math: 113,
  rating: 114,
  timer: 115,
  static: 116,
  mathFraction: 117,
  mathRoot: 118,
  subscript: 119,
  superscript: 120,
  descriptionList: 121,
  descriptionTerm: 122,
  descriptionValue: 123,
  footnote: 124,
  contentDeletion: 125,
  contentInsertion: 126,
  mark: 127,
  suggestion: 128,
  pushButtonMenu: 129,
  switch: 130,
} as const;

/** The name of a role constant. */
export type RoleName = keyof typeof Role;

/** What menus hold and people choose. */
export const MENU_ITEMS: ReadonlySet<number> = new Set([
  Role.menuItem,
  Role.checkMenuItem,
  Role.radioMenuItem,
]);

/** "word[,further words] AXRole [AXSubrole]" of each role. */
const TABLE: Readonly<Record<RoleName, string>> = {
  invalid: "invalid AXUnknown",
  acceleratorLabel: "acceleratorlabel AXStaticText",
  alert: "alert AXGroup AXApplicationAlert",
  animation: "animation AXImage",
  arrow: "arrow AXImage",
  calendar: "calendar AXGroup",
  canvas: "canvas AXImage",
  checkBox: "checkbox AXCheckBox",
  checkMenuItem: "checkmenuitem AXMenuItem",
  colorChooser: "colorchooser AXColorWell",
  columnHeader: "columnheader AXCell",
  comboBox: "combobox AXPopUpButton",
  dateEditor: "dateeditor AXDateField",
  desktopIcon: "icon AXImage",
  desktopFrame: "desktop AXGroup",
  dial: "dial AXSlider",
  dialog: "dialog AXWindow AXDialog",
  directoryPane: "directorypane AXBrowser",
  drawingArea: "drawingarea AXGroup",
  fileChooser: "filechooser AXGroup",
  filler: "filler AXGroup",
  focusTraversable: "focustraversable AXGroup",
  fontChooser: "fontchooser AXGroup",
  frame: "window AXWindow AXStandardWindow",
  glassPane: "panel AXGroup",
  htmlContainer: "document AXGroup",
  icon: "icon AXImage",
  image: "image AXImage",
  internalFrame: "internalframe AXGroup",
  label: "label AXStaticText",
  layeredPane: "panel AXLayoutArea",
  list: "list AXList",
  listItem: "listitem AXRow",
  menu: "menu AXMenu",
  menuBar: "menubar AXMenuBar",
  menuItem: "menuitem AXMenuItem",
  optionPane: "optionpane AXGroup",
  pageTab: "tab AXRadioButton AXTabButton",
  pageTabList: "tablist AXTabGroup",
  panel: "panel AXGroup",
  passwordText: "passwordfield AXTextField AXSecureTextField",
  popupMenu: "popupmenu,menu AXMenu",
  progressBar: "progressbar AXProgressIndicator",
  pushButton: "button AXButton",
  radioButton: "radio AXRadioButton",
  radioMenuItem: "radiomenuitem AXMenuItem",
  rootPane: "panel AXGroup",
  rowHeader: "rowheader AXCell",
  scrollBar: "scrollbar AXScrollBar",
  scrollPane: "scrollarea AXScrollArea",
  separator: "separator AXSplitter",
  slider: "slider AXSlider",
  spinButton: "spinbutton AXIncrementor",
  splitPane: "splitpane AXSplitGroup",
  statusBar: "statusbar AXGroup AXApplicationStatus",
  table: "table AXTable",
  tableCell: "cell AXCell",
  tableColumnHeader: "columnheader AXCell",
  tableRowHeader: "rowheader AXCell",
  tearoffMenuItem: "tearoffmenuitem AXMenuItem",
  terminal: "terminal AXTextArea",
  text: "textfield,text AXTextField",
  toggleButton: "togglebutton AXCheckBox AXToggle",
  toolBar: "toolbar AXToolbar",
  toolTip: "tooltip AXHelpTag",
  tree: "tree AXOutline",
  treeTable: "treetable,tree,table AXOutline",
  unknown: "unknown AXUnknown",
  viewport: "viewport AXGroup",
  window: "window AXWindow",
  extended: "extended AXUnknown",
  header: "header AXGroup",
  footer: "footer AXGroup",
  paragraph: "paragraph AXGroup",
  ruler: "ruler AXRuler",
  application: "application AXApplication",
  autocomplete: "autocomplete AXComboBox",
  editbar: "textfield,text AXTextField",
  embedded: "embedded AXGroup",
  entry: "textfield,text AXTextField",
  chart: "chart AXImage",
  caption: "caption AXGroup",
  documentFrame: "document AXGroup AXDocument",
  heading: "heading AXHeading",
  page: "page AXGroup",
  section: "section AXGroup",
  redundantObject: "redundant AXGroup",
  form: "form AXGroup",
  link: "link AXLink",
  inputMethodWindow: "inputmethodwindow AXWindow AXSystemFloatingWindow",
  tableRow: "row AXRow AXTableRow",
  treeItem: "treeitem AXRow AXOutlineRow",
  documentSpreadsheet: "document AXGroup AXDocument",
  documentPresentation: "document AXGroup AXDocument",
  documentText: "document AXGroup AXDocument",
  documentWeb: "document AXWebArea",
  documentEmail: "document AXGroup AXDocument",
  comment: "comment AXGroup",
  listBox: "list AXList",
  grouping: "group AXGroup",
  imageMap: "imagemap AXImageMap",
  notification: "notification AXGroup AXApplicationStatus",
  infoBar: "infobar AXGroup AXApplicationStatus",
  levelBar: "levelbar AXLevelIndicator",
  titleBar: "titlebar AXGroup",
  blockQuote: "blockquote AXGroup",
  audio: "audio AXGroup AXAudio",
  video: "video AXGroup AXVideo",
  definition: "definition AXGroup AXDefinition",
  article: "article AXGroup AXDocumentArticle",
  landmark: "landmark AXGroup AXLandmarkRegion",
  log: "log AXGroup AXApplicationLog",
  marquee: "marquee AXGroup AXApplicationMarquee",
  math: "math AXGroup AXDocumentMath",
  rating: "rating AXLevelIndicator AXRatingIndicator",
  timer: "timer AXGroup AXApplicationTimer",
  static: "statictext AXStaticText",
  mathFraction: "mathfraction AXGroup AXMathFraction",
  mathRoot: "mathroot AXGroup AXMathRoot",
  subscript: "subscript AXGroup AXSubscriptStyleGroup",
  superscript: "superscript AXGroup AXSuperscriptStyleGroup",
  descriptionList: "descriptionlist AXList AXDescriptionList",
  descriptionTerm: "descriptionterm AXGroup AXTerm",
  descriptionValue: "descriptionvalue AXGroup AXDescription",
  footnote: "footnote AXGroup",
  contentDeletion: "deletion AXGroup AXDeleteStyleGroup",
  contentInsertion: "insertion AXGroup AXInsertStyleGroup",
  mark: "mark AXGroup",
  suggestion: "suggestion AXGroup",
  pushButtonMenu: "menubutton,button AXMenuButton",
  switch: "switch AXCheckBox AXSwitch",
};

function info(role: number, name: RoleInfo["name"], line: string): RoleInfo {
  const [first = "unknown", ax = "AXUnknown", subrole] = line.split(" ");
  const words = first.split(",");
  return {
    role,
    name,
    word: words[0] ?? "unknown",
    words,
    ax,
    ...defined({ subrole }),
  };
}

function isRoleName(name: string): name is RoleName {
  return Object.hasOwn(Role, name);
}

const names: RoleName[] = Object.keys(Role).filter(isRoleName);
const plain: readonly RoleInfo[] = names.map((name) => info(Role[name], name, TABLE[name]));
const stranger = info(Role.unknown, "unknown", "unknown AXUnknown");

/** What a role becomes with certain states. */
interface Variant {
  readonly info: RoleInfo;
  readonly when: (low: number, high: number) => boolean;
}

const multiLine = (low: number) => hasState(low, 0, State.multiLine);
const editable = (low: number) => hasState(low, 0, State.editable);
/** GTK gives dialogs the role of what they choose; only top-level windows are ever active, modal or resizable. */
const topLevel = (low: number) =>
  (low & ((1 << State.active) | (1 << State.modal) | (1 << State.resizable))) !== 0;

function variant(name: RoleName, line: string, when: Variant["when"]): [number, Variant] {
  return [Role[name], { info: info(Role[name], name, line), when }];
}

const variants: ReadonlyMap<number, Variant> = new Map([
  variant("text", "textarea,text AXTextArea", multiLine),
  variant("entry", "textarea,text AXTextArea", multiLine),
  variant("editbar", "textarea,text AXTextArea", multiLine),
  variant("comboBox", "combobox AXComboBox", editable),
  variant("alert", "alert,dialog AXWindow AXDialog", topLevel),
  variant("fileChooser", "dialog,filechooser AXWindow AXDialog", topLevel),
  variant("colorChooser", "dialog,colorchooser AXWindow AXDialog", topLevel),
  variant("fontChooser", "dialog,fontchooser AXWindow AXDialog", topLevel),
]);

/**
 * What an element of this role and these states is called. The same object for the same answer, so that it can be
 * compared and used as a key. Numbers beyond the table are "unknown".
 *
 * @example
 * ```ts
 * import { Role, roleOf } from "./roles.ts";
 * import { stateWords } from "./states.ts";
 * if (roleOf(Role.text, ...stateWords(["multiLine"])).word !== "textarea") throw new Error();
 * if (roleOf(Role.pushButton, 0, 0).ax !== "AXButton") throw new Error();
 * ```
 */
export function roleOf(role: number, low: number, high: number): RoleInfo {
  const other = variants.get(role);
  if (other !== undefined && other.when(low, high)) return other.info;
  return plain[role] ?? stranger;
}

/** Everything `roleOf` can answer for this number: one, or two where states decide. */
export function rolesOf(role: number): readonly RoleInfo[] {
  const first = plain[role] ?? stranger;
  const other = variants.get(role);
  return other === undefined ? [first] : [first, other.info];
}

/** One more than the largest role number of the table. */
export const ROLE_COUNT = plain.length;

/** Everything `roleOf` can answer. */
export const allRoles: readonly RoleInfo[] = [...plain, ...[...variants.values()].map((v) => v.info)];
