import type { DesktopEvent } from "../desktop/desktop.ts";

/** Places change all the time, and texts are no places. */
const NOISE =
  /^(?:object:(?:bounds-changed|visible-data-changed|text-caret-moved|text-changed|property-change:accessible-value)|mouse:|keyboard:)/;

/** Something comes, goes or moves. */
const MOVES =
  /^(?:window:|object:(?:children-changed|bounds-changed|visible-data-changed|model-changed|row-|state-changed:(?:showing|visible|expanded)))/;

/** States that say who was pressed. */
const STATES = /^object:state-changed:(?:focused|checked|selected|pressed|expanded)$/;

/** What an event means to a look at its application. */
export interface Meaning {
  /** A look may be old by now. */
  readonly changes: boolean;
  /** Something else may lie at a place. */
  readonly moves: boolean;
  /** It says who was pressed. */
  readonly state: boolean;
}

/** Judges an event; `toplevel`: it is about a window. */
export function meaningOf({ kind }: Pick<DesktopEvent, "kind">, toplevel: boolean): Meaning {
  // A window that moved takes everything with it.
  const noise = NOISE.test(kind) && !(toplevel && kind === "object:bounds-changed");
  return { changes: !noise, moves: !noise && MOVES.test(kind), state: STATES.test(kind) };
}
