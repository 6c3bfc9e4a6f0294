import type { Made } from "./made.ts";
import type { ActionStep } from "./output/model.ts";

/** What became of the last step. */
export interface Undone {
  /** Undefined: there was none. */
  readonly step: ActionStep | undefined;
  /** It is no step any more. */
  readonly removed: boolean;
  /** It was undone on the desktop; false also where it had done nothing there. */
  readonly undone: boolean;
  /** Why it was not undone. */
  readonly why?: string;
}

/** Undoes a step on the desktop. Answers why it did not; undefined: it did. */
export type UndoStep = (step: ActionStep) => Promise<string | undefined>;

/** Undoes the last step on the desktop, where that needs anything, and has it taken out; see `Undone`. */
export async function takeLast(
  made: Made,
  takeOut: () => void,
  undo: UndoStep,
  recordOnly: boolean,
): Promise<Undone> {
  const { last } = made;
  if (last === undefined) return { step: undefined, removed: false, undone: false };
  const { step } = last;
  let undone = false;
  if (!recordOnly && !("nothing" in last.undo)) {
    const why = "why" in last.undo ? last.undo.why : await undo({ ...step, undo: last.undo });
    if (why !== undefined) return { step, removed: false, undone, why };
    undone = true;
  }
  takeOut();
  made.forget();
  return { step, removed: true, undone };
}
