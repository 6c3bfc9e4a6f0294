import { Interface } from "../interfaces.ts";
import { Role } from "../roles.ts";
import { type StateName, stateWords } from "../states.ts";

/** What a widget does by itself when it is clicked, focused or typed into. */
export type Manner =
  | "still" // nothing
  | "press" // tells its application
  | "toggle" // flips `checked`
  | "choose" // makes its chooser choose it
  | "open" // opens and closes its popup
  | "edit" // takes text
  | "slide"; // takes a value

/** The fixed facts of a kind of widget, after GTK 3 and its accessibility bridge. */
export interface KindSpec {
  readonly role: number;
  readonly manner: Manner;
  readonly low: number;
  readonly high: number;
  readonly interfaces: number;
  readonly actions: readonly string[];
  readonly focusable: boolean;
  readonly width: number;
  readonly height: number;
}

interface Spec {
  states?: readonly StateName[];
  interfaces?: number;
  actions?: readonly string[];
  focusable?: boolean;
  width?: number;
  height?: number;
}

const { action, selection, editableText, value } = Interface;
const text = Interface.text;

function kind(role: number, manner: Manner, spec: Spec = {}): KindSpec {
  const states: StateName[] = [...(spec.states ?? []), ...(spec.focusable ? ["focusable" as const] : [])];
  const [low, high] = stateWords(states);
  const acts = spec.actions ? action : 0;
  return {
    role,
    manner,
    low,
    high,
    interfaces: Interface.accessible | Interface.component | (spec.interfaces ?? 0) | acts,
    actions: spec.actions ?? [],
    focusable: spec.focusable ?? false,
    width: spec.width ?? 160,
    height: spec.height ?? 28,
  };
}

const CLICK = ["click"];

/** The name of a kind of widget. */
export type Kind =
  | "application"
  | "window"
  | "dialog"
  | "panel"
  | "label"
  | "heading"
  | "status"
  | "image"
  | "separator"
  | "progress"
  | "button"
  | "link"
  | "toggle"
  | "switch"
  | "check"
  | "radio"
  | "entry"
  | "password"
  | "textarea"
  | "spin"
  | "slider"
  | "scrollbar"
  | "combo"
  | "popup"
  | "option"
  | "menubar"
  | "menu"
  | "menuitem"
  | "tabs"
  | "tab"
  | "scroll"
  | "list"
  | "row";

/** The kinds of widget that an application can be described with. */
export const kinds: Readonly<Record<Kind, KindSpec>> = {
  application: kind(Role.application, "still", { interfaces: Interface.application }),
  window: kind(Role.frame, "still", { states: ["resizable"] }),
  dialog: kind(Role.dialog, "still", { states: ["modal", "resizable"] }),
  panel: kind(Role.panel, "still"),
  label: kind(Role.label, "still", { interfaces: text, width: 200, height: 22 }),
  heading: kind(Role.heading, "still", { interfaces: text, width: 320, height: 32 }),
  status: kind(Role.statusBar, "still", { width: 320 }),
  image: kind(Role.image, "still", { interfaces: Interface.image, width: 48, height: 48 }),
  separator: kind(Role.separator, "still", { width: 320, height: 4 }),
  progress: kind(Role.progressBar, "still", { interfaces: value, width: 200, height: 16 }),
  button: kind(Role.pushButton, "press", { actions: CLICK, focusable: true, width: 96, height: 32 }),
  link: kind(Role.link, "press", { actions: ["jump"], focusable: true }),
  toggle: kind(Role.toggleButton, "toggle", { actions: CLICK, focusable: true, width: 96, height: 32 }),
  switch: kind(Role.switch, "toggle", {
    actions: ["toggle"],
    states: ["checkable"],
    focusable: true,
    width: 64,
  }),
  check: kind(Role.checkBox, "toggle", {
    actions: CLICK,
    states: ["checkable"],
    focusable: true,
    width: 240,
  }),
  radio: kind(Role.radioButton, "toggle", { actions: CLICK, states: ["checkable"], focusable: true }),
  entry: kind(Role.entry, "edit", {
    states: ["editable", "singleLine", "selectableText"],
    interfaces: text | editableText,
    actions: ["activate"],
    focusable: true,
    width: 320,
  }),
  password: kind(Role.passwordText, "edit", {
    states: ["editable", "singleLine"],
    interfaces: text | editableText,
    actions: ["activate"],
    focusable: true,
    width: 320,
  }),
  textarea: kind(Role.text, "edit", {
    states: ["editable", "multiLine", "selectableText"],
    interfaces: text | editableText,
    focusable: true,
    width: 560,
    height: 240,
  }),
  spin: kind(Role.spinButton, "slide", {
    states: ["editable", "singleLine"],
    interfaces: value | text | editableText,
    actions: ["activate"],
    focusable: true,
  }),
  slider: kind(Role.slider, "slide", {
    states: ["horizontal"],
    interfaces: value,
    focusable: true,
    width: 320,
  }),
  scrollbar: kind(Role.scrollBar, "slide", { states: ["vertical"], interfaces: value, width: 16 }),
  combo: kind(Role.comboBox, "open", {
    states: ["expandable", "hasPopup"],
    interfaces: selection,
    actions: ["press"],
    focusable: true,
  }),
  popup: kind(Role.menu, "still", { interfaces: selection }),
  option: kind(Role.menuItem, "choose", { states: ["selectable"], actions: CLICK, height: 24 }),
  menubar: kind(Role.menuBar, "still", { interfaces: selection, width: 560 }),
  menu: kind(Role.menu, "open", { states: ["expandable", "hasPopup"], actions: CLICK, width: 64 }),
  menuitem: kind(Role.menuItem, "press", { actions: CLICK, height: 24 }),
  tabs: kind(Role.pageTabList, "still", { interfaces: selection, focusable: true }),
  tab: kind(Role.pageTab, "choose", { states: ["selectable"], width: 96, height: 32 }),
  scroll: kind(Role.scrollPane, "still", { width: 480, height: 240 }),
  list: kind(Role.listBox, "still", { interfaces: selection, focusable: true, width: 440 }),
  row: kind(Role.listItem, "choose", { states: ["selectable"], actions: ["activate"], height: 24 }),
};

/** How high each row of a list is, in pixels. */
export const ROW_HEIGHT = kinds.row.height;
