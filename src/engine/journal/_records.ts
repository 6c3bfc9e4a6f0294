import type { JournalEntry } from "./records/mod.ts";
import { VERSION } from "./records/run.ts";

/** The first record of a run; what is encrypted in it opens with no key. */
export function runEntry(run: string): JournalEntry {
  return {
    kind: "run",
    version: VERSION,
    run,
    workflow: "trial",
    file: "/trial.yaml",
    digest: "0".repeat(64),
    desktop: { kind: "simulated", label: "simulated", id: null, mode: "focus" },
    secrets: [],
    encrypted: "",
  };
}

/** Before an action that belongs to the file. */
export function actionEntry(path: string): JournalEntry {
  return { kind: "action-begin", path, operation: "set", effect: "restorable", undoLog: "", encrypted: "" };
}

/** The last record of a run that passed. */
export const END: JournalEntry = { kind: "end", status: "passed", exit: 0, rollback: "none" };
