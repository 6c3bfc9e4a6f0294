/// <reference lib="dom" />

/** All that the page shows. */
export const state = {
  /** What the server said of itself. @type {any} */
  hello: undefined,
  /** Why there is nothing to see. @type {string | undefined} */
  trouble: undefined,
  connected: false,
  frozen: false,
  view: "live",
  /** @type {any[]} */
  apps: [],
  /** @type {any} */
  app: undefined,
  /** @type {any} */
  noApp: undefined,
  version: 0,
  /** What the server took to read the tree. */
  took: 0,
  /** @type {any[]} */
  rows: [],
  /** What is chosen. @type {any} */
  chosen: undefined,
  /** What lies at the place that was clicked, the innermost first. @type {any[]} */
  here: [],
  search: "",
  boxes: false,
  /** A click in the picture chooses an element, or uses it. @type {"choose" | "use" | "assert"} */
  tool: "choose",
  tab: "element",
  facts: /** @type {any} */ (undefined),
  possible: /** @type {any} */ (undefined),
  selector: "",
  matches: /** @type {any} */ (undefined),
  explained: /** @type {any} */ (undefined),
  acts: /** @type {any[]} */ ([]),
  record: /** @type {any} */ (undefined),
  assertions: /** @type {any} */ (undefined),
  /** The last thing that was said to the person. @type {{ kind: string, text: string, hint?: string } | undefined} */
  said: undefined,
  /** An act of the page is under way. */
  busy: false,
  /** How the last act came out. @type {any} */
  last: undefined,
  /** The application that is to be shown, by its address. @type {string | undefined} */
  wanted: undefined,
  /** The files of a test run. @type {any} */
  suite: undefined,
  /** The test that runs on this desktop, and whether a person has taken over. @type {any} */
  pause: undefined,
  /** The steps of the run that stands on this desktop. @type {any} */
  travel: undefined,
};

/** @type {(() => void) | undefined} */
let draw;
let due = false;

/** @param {() => void} how */
export function drawnBy(how) {
  draw = how;
}

/** Something is otherwise: the page is drawn once everything that is told at once has been heard. */
export function changed() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    draw?.();
  });
}

/** @param {string} kind @param {string} text @param {string} [hint] */
export function say(kind, text, hint) {
  state.said = { kind, text, ...(hint === undefined ? {} : { hint }) };
  changed();
}

/** Does something for the person, and says what went wrong. @template T @param {() => Promise<T>} action */
export async function trying(action) {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Error) {
      say("bad", error.message, "hint" in error ? String(error.hint ?? "") : undefined);
    }
    return undefined;
  }
}
