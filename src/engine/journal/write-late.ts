import { toBackstepError } from "../../base/error.ts";
import type { Reporting } from "../model/reporting.ts";
import type { JournalEntry } from "./records/mod.ts";
import type { Journal } from "./journal.ts";

/** On rollback a full disk is no reason to leave the rest undone; it is said, and the way goes on. */
export function writeDown(entry: JournalEntry, run: { readonly journal: Journal } & Reporting): void {
  try {
    run.journal.write(entry);
  } catch (thrown) {
    run.emit({ event: "note", level: "warning", message: toBackstepError(thrown).message });
  }
}
