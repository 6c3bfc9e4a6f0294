/**
 * What taking an action back would need, judged before it is done, from the operation and from what its target is:
 *
 * - `read`: nothing to undo.
 * - `restorable`: the state before is held (value, text, toggle, selection, scroll position, clipboard) and written back.
 * - `observed`: a press on a control that bears state or opens a popup; the inverse is confirmed by the difference seen.
 * - `compensable`: an opposite action exists (launch: quit), or the author declared `undo:`.
 * - `irreversible`: a barrier; refused inside a transaction unless declared.
 */
export type Effect = "read" | "restorable" | "observed" | "compensable" | "irreversible";

/** Hints about an operation for whoever decides to call it, with the meaning MCP gives them. */
export interface Hints {
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** It may change or remove what is there, not only add to it. */
  readonly destructive: boolean;
  /** Doing it again with the same input changes nothing more: such steps may be retried. */
  readonly idempotent: boolean;
  /** It reaches beyond the desktop. */
  readonly openWorld: boolean;
}

/** Hints of an operation that only reads. */
export const READS: Hints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
/** Hints of one that changes something, the same however often it is repeated. */
export const SETS: Hints = { readOnly: false, destructive: true, idempotent: true, openWorld: false };
/** Hints of one that changes something anew each time. */
export const WRITES: Hints = { readOnly: false, destructive: true, idempotent: false, openWorld: false };
