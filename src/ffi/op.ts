/** `enum backstep_op`: request and reply of each are described in `native/include/backstep.h`. */
export const Op = {
  connect: 1,
  apps: 2,
  snapshot: 3,
  read: 4,
  atPoint: 5,
  findRole: 6,
  action: 16,
  focus: 17,
  setText: 18,
  insertText: 19,
  deleteText: 20,
  caret: 21,
  selectText: 22,
  setValue: 23,
  select: 24,
  scrollTo: 25,
  scrollToPoint: 26,
  text: 32,
  chord: 33,
  pointer: 34,
  release: 35,
  capture: 40,
  windows: 41,
  window: 42,
  clipRead: 48,
  clipWrite: 49,
} as const;

/** The number of an operation of the core. */
export type OpNumber = (typeof Op)[keyof typeof Op];

/** What each operation does, to follow "Cannot". */
export const doing: { readonly [op in OpNumber]: string } = {
  1: "connect to the desktop",
  2: "list the applications",
  3: "read the tree",
  4: "read the element",
  5: "find the element at a point",
  6: "find an element by its role",
  16: "perform the action",
  17: "focus the element",
  18: "set the text",
  19: "insert the text",
  20: "delete the text",
  21: "place the caret",
  22: "select the text",
  23: "set the value",
  24: "change the selection",
  25: "scroll to the element",
  26: "scroll the element to a place",
  32: "type the text",
  33: "press the keys",
  34: "move the pointer",
  35: "release the keys",
  40: "take the picture",
  41: "list the windows",
  42: "change the window",
  48: "read the clipboard",
  49: "write the clipboard",
};

/** `enum backstep_field`: the optional columns of a snapshot. */
export const Field = {
  extents: 1,
  text: 2,
  value: 4,
  actions: 8,
  attributes: 16,
  selection: 32,
  id: 64,
  hash: 128,
} as const;
