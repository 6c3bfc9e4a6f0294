import type { Application } from "./element.ts";
import { Role, roleOf } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";
import { hasState, State } from "./states.ts";
import { isGtk4 } from "./toolkits.ts";

/**
 * A state as a question about one element: its role, its two state words, and the bits that mean "on screen" for its
 * toolkit (`visibilityMask`).
 */
export type StateTest = (role: number, low: number, high: number, visible: number) => boolean;

const bit = (state: number) => (1 << state) >>> 0;
const low = (state: number): StateTest => (_role, words) => hasState(words, 0, state);
const high = (state: number): StateTest => (_role, words, more) => hasState(words, more, state);
const isText = (role: number) => role === Role.text || role === Role.entry || role === Role.passwordText;

const CHECKABLE: ReadonlySet<number> = new Set([
  Role.checkBox,
  Role.checkMenuItem,
  Role.radioButton,
  Role.radioMenuItem,
  Role.toggleButton,
  Role.switch,
]);

/**
 * The bits that must all be set for an element to count as visible. GTK 4 (measured at 4.8) sets SHOWING on almost
 * nothing, so that VISIBLE alone decides there; elsewhere VISIBLE alone is true of hidden tabs. Ancestors need no look:
 * toolkits clear SHOWING below what is hidden.
 */
export function visibilityMask(application: Pick<Application, "toolkit" | "toolkitVersion">): number {
  return isGtk4(application) ? bit(State.visible) : (bit(State.visible) | bit(State.showing)) >>> 0;
}

const enabled: StateTest = (_role, words) => (words & (bit(State.enabled) | bit(State.sensitive))) !== 0;
const visible: StateTest = (_role, words, _more, mask) => ((words & mask) >>> 0) === mask;
const editable: StateTest = (_role, words, more) =>
  hasState(words, 0, State.editable) && !hasState(words, more, State.readOnly);
/** Toggle buttons are "checked" to GTK 3 and Qt and "pressed" to GTK 4 and Chromium: either word means both. */
const checked: StateTest = (role, words, _more, mask) =>
  hasState(words, 0, State.checked) ||
  ((role === Role.toggleButton || isToggleOfGtk4(role, mask)) && hasState(words, 0, State.pressed));
/** GTK 4's toggle buttons are push buttons that say PRESSED while they are on; it alone tells visibility by VISIBLE. */
const isToggleOfGtk4 = (role: number, mask: number) =>
  role === Role.pushButton && mask === bit(State.visible);
const pressed: StateTest = (role, words) =>
  hasState(words, 0, State.pressed) || (role === Role.toggleButton && hasState(words, 0, State.checked));
const expanded = low(State.expanded);
const checkable: StateTest = (role, words, more) =>
  hasState(words, more, State.checkable) || CHECKABLE.has(role);
const not = (test: StateTest): StateTest => (...args) => !test(...args);

const table = {
  enabled,
  disabled: not(enabled),
  visible,
  hidden: not(visible),
  focused: low(State.focused),
  checked,
  unchecked: (role, words, more, mask) =>
    checkable(role, words, more, mask) && !checked(role, words, more, mask),
  pressed,
  selected: low(State.selected),
  expanded,
  collapsed: (role, words, more, mask) =>
    !expanded(role, words, more, mask) && (words & (bit(State.collapsed) | bit(State.expandable))) !== 0,
  editable,
  readonly: (role, words, more, mask) =>
    hasState(words, more, State.readOnly) || (isText(role) && !editable(role, words, more, mask)),
  required: high(State.required),
  busy: low(State.busy),
  modal: low(State.modal),
  active: low(State.active),
  focusable: low(State.focusable),
  selectable: low(State.selectable),
  checkable,
  indeterminate: high(State.indeterminate),
  invalid: high(State.invalidEntry),
  default: high(State.isDefault),
  secure: (role) => role === Role.passwordText,
} satisfies Record<string, StateTest>;

/** A state in one word, as selectors (`:enabled`), outlines and assertions write it. */
export type StateWord = keyof typeof table;

/** Each state word and its test. */
export const stateTests: Readonly<Record<StateWord, StateTest>> = table;

/** Is this one of the state words? */
export function isStateWord(word: string): word is StateWord {
  return Object.hasOwn(table, word);
}

/** All state words. */
export const stateNames: readonly StateWord[] = Object.keys(table).filter(isStateWord);

/** What a state is asked of: a row's columns, or a `Reading`. */
export interface StateBearer {
  readonly role: number;
  readonly statesLow: number;
  readonly statesHigh: number;
}

/** Has an element this state? `application` decides what "visible" means. */
export function hasWord(
  word: StateWord,
  of: StateBearer,
  application: Pick<Application, "toolkit" | "toolkitVersion">,
): boolean {
  return table[word](of.role, of.statesLow, of.statesHigh, visibilityMask(application));
}

/** The role and states of a row. */
export function bearer(snapshot: Snapshot, row: number): StateBearer {
  return {
    role: snapshot.role(row),
    statesLow: snapshot.statesLow(row),
    statesHigh: snapshot.statesHigh(row),
  };
}

/**
 * Is it without size, where states say nothing about that? GTK 4 leaves VISIBLE on the pages of a stack that do not show
 * and gives them no room. False where the rectangle is not known.
 */
function isCollapsed(snapshot: Snapshot, row: number): boolean {
  if (!isGtk4(snapshot.origin.application)) return false;
  const rect = snapshot.rect(row);
  return rect !== undefined && (rect.width === 0 || rect.height === 0);
}

/** Has this row this state? */
export function rowHas(snapshot: Snapshot, row: number, word: StateWord): boolean {
  if ((word === "visible" || word === "hidden") && isCollapsed(snapshot, row)) return word === "hidden";
  return hasWord(word, bearer(snapshot, row), snapshot.origin.application);
}

const WORTH_SAYING: readonly StateWord[] = [
  "focused",
  "checked",
  "pressed",
  "selected",
  "expanded",
  "collapsed",
  "disabled",
  "hidden",
  "required",
  "busy",
  "modal",
  "active",
  "indeterminate",
  "invalid",
];

/** The states worth a word in an outline: those that differ from a plain, visible, enabled element. */
export function notableStates(
  of: StateBearer,
  application: Pick<Application, "toolkit" | "toolkitVersion">,
): StateWord[] {
  const mask = visibilityMask(application);
  const { word } = roleOf(of.role, of.statesLow, of.statesHigh);
  return WORTH_SAYING.filter((state) => {
    if (state === "pressed" && of.role === Role.toggleButton) return false;
    if (state === "active" && word !== "window" && word !== "dialog") return false;
    return table[state](of.role, of.statesLow, of.statesHigh, mask);
  });
}

/**
 * The state strings of the interface explorer's section 7.1, in its order: enabled or disabled, visible or hidden,
 * focused or unfocused, selected or unselected, and where they mean something expanded or collapsed, readonly or
 * editable, required or optional.
 */
export function axStates(
  of: StateBearer,
  application: Pick<Application, "toolkit" | "toolkitVersion">,
): string[] {
  const has = (word: StateWord) => hasWord(word, of, application);
  const states = [
    has("enabled") ? "enabled" : "disabled",
    has("visible") ? "visible" : "hidden",
    has("focused") ? "focused" : "unfocused",
    has("selected") ? "selected" : "unselected",
  ];
  if (has("expanded")) states.push("expanded");
  else if (has("collapsed")) states.push("collapsed");
  if (has("readonly")) states.push("readonly");
  else if (has("editable")) states.push("editable");
  if (has("required")) states.push("required");
  else if (has("editable")) states.push("optional");
  return states;
}
