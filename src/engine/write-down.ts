import { toBackstepError } from "../base/error.ts";
import type { JournalEntry } from "./journal.ts";
import type { RunContext } from "./run-context.ts";

/** On the way back a full disk is no reason to leave the rest undone; it is said, and the way goes on. */
export function writeDown(entry: JournalEntry, run: Pick<RunContext, "journal" | "emit">): void {
  try {
    run.journal.write(entry);
  } catch (thrown) {
    run.emit({ event: "note", level: "warning", message: toBackstepError(thrown).message });
  }
}
