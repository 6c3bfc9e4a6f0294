import type { Call } from "../base/call.ts";

/** Who has the keyboard or the clipboard, as the display itself knows it. */
export interface Holder {
  /** "nobody": it is free, or goes by the pointer; "manager": the window manager; "unknown": the display does not tell. */
  readonly who: "application" | "ourselves" | "manager" | "clipboard manager" | "nobody" | "unknown";
  /** Of its process; 0: not told. */
  readonly pid: number;
}

/** A connection to the display. */
export interface DisplayClient {
  /** Of its process; 0: not told. */
  readonly pid: number;
  /** It has a window on the screen, or one that the window manager lists. */
  readonly shown: boolean;
  /** It is the window manager. */
  readonly manager: boolean;
  /** It is this desktop's own. */
  readonly own: boolean;
}

/** What is asked of a display. */
export interface HoldersQuery {
  /** Ids of windows. */
  readonly windows: readonly number[];
  /** Of the screen, in pixels; 16 at most. */
  readonly places: readonly { readonly x: number; readonly y: number }[];
}

/** Whose keyboard, clipboard, windows and places are, by what the display knows and not by what applications say. */
export interface Holders {
  /** Another connection has grabbed it; which one is not told. */
  readonly grabbed: { readonly keyboard: boolean; readonly pointer: boolean };
  /** Who has the input focus. */
  readonly focus: Holder;
  /** Whose content is on the clipboard. */
  readonly clipboard: Holder;
  /** Every connection to the display. */
  readonly clients: readonly DisplayClient[];
  /** Process ids of the windows asked for, in their order; 0: not told. */
  readonly windows: readonly number[];
  /** Process ids of the windows at the places asked for, the window manager's left out; 0: not told. */
  readonly places: readonly (readonly number[])[];
}

/** Asks a display whose things are; rejects with `unsupported` where it does not know. */
export type AskHolders = (query: HoldersQuery, call?: Call) => Promise<Holders>;
