/** The name of a state bit, after AtspiStateType. */
export type StateName =
  | "invalid"
  | "active"
  | "armed"
  | "busy"
  | "checked"
  | "collapsed"
  | "defunct"
  | "editable"
  | "enabled"
  | "expandable"
  | "expanded"
  | "focusable"
  | "focused"
  | "hasTooltip"
  | "horizontal"
  | "iconified"
  | "modal"
  | "multiLine"
  | "multiselectable"
  | "opaque"
  | "pressed"
  | "resizable"
  | "selectable"
  | "selected"
  | "sensitive"
  | "showing"
  | "singleLine"
  | "stale"
  | "transient"
  | "vertical"
  | "visible"
  | "managesDescendants"
  | "indeterminate"
  | "required"
  | "truncated"
  | "animated"
  | "invalidEntry"
  | "supportsAutocompletion"
  | "selectableText"
  | "isDefault"
  | "visited"
  | "checkable"
  | "hasPopup"
  | "readOnly";

/**
 * The AT-SPI state bits (AtspiStateType) by their number: what the two state columns of a snapshot hold.
 * Bits 0–31 are in the low word, the rest in the high one.
 */
export const State: Readonly<Record<StateName, number>> = {
  invalid: 0,
  active: 1,
  armed: 2,
  busy: 3,
  checked: 4,
  collapsed: 5,
  defunct: 6,
  editable: 7,
  enabled: 8,
  expandable: 9,
  expanded: 10,
  focusable: 11,
  focused: 12,
  hasTooltip: 13,
  horizontal: 14,
  iconified: 15,
  modal: 16,
  multiLine: 17,
  multiselectable: 18,
  opaque: 19,
  pressed: 20,
  resizable: 21,
  selectable: 22,
  selected: 23,
  sensitive: 24,
  showing: 25,
  singleLine: 26,
  stale: 27,
  transient: 28,
  vertical: 29,
  visible: 30,
  managesDescendants: 31,
  indeterminate: 32,
  required: 33,
  truncated: 34,
  animated: 35,
  invalidEntry: 36,
  supportsAutocompletion: 37,
  selectableText: 38,
  isDefault: 39,
  visited: 40,
  checkable: 41,
  hasPopup: 42,
  readOnly: 43,
};

/** Is `state` set in the two words? */
export function hasState(low: number, high: number, state: number): boolean {
  return state < 32 ? ((low >>> state) & 1) === 1 : ((high >>> (state - 32)) & 1) === 1;
}

/** The two words of a set of states, for building snapshots. */
export function stateWords(states: Iterable<StateName>): [low: number, high: number] {
  let low = 0;
  let high = 0;
  for (const name of states) {
    const bit = State[name];
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit - 32);
  }
  return [low >>> 0, high >>> 0];
}
