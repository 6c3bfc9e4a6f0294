import type { UndoEntry } from "./undo-log.ts";

/** What was set, for tests: done, with nothing that it may have changed, unless `differs` says otherwise. */
export function entryWith(differs: Partial<UndoEntry>): UndoEntry {
  return {
    path: "1",
    name: "set",
    operation: "set",
    effect: "restorable",
    beforeImages: [],
    undo: undefined,
    inverse: undefined,
    barrier: false,
    passable: false,
    history: 0,
    intent: 0,
    opened: undefined,
    outcome: "done",
    ...differs,
  };
}
