import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isFinished, runFolder } from "./journal.ts";
import { Encryption } from "./encryption.ts";

/** Ended runs that are kept, the newest ones. */
export const KEPT_RUNS = 50;

/**
 * Removes the folders and keys of old runs: of those that have ended, all but the newest. A run that is open (it runs,
 * or was killed and may have to be undone), or whose journal cannot be read, is never removed. Answers the removed
 * ones. What cannot be removed is left for the next time.
 */
export function pruneRuns(state: string, keep: number = KEPT_RUNS): string[] {
  const finished = runsOf(state).filter((run) => isFinished(runFolder(state, run.id)))
    .sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
  return finished.slice(keep).flatMap(({ id }) => {
    try {
      rmSync(runFolder(state, id), { recursive: true, force: true });
      Encryption.destroy(state, id);
      return [id];
    } catch {
      return []; // somebody else's, or on a disk that takes no changes: no reason for a new run not to begin
    }
  });
}

/** Every run folder, with when its journal was written to last, in milliseconds. */
function runsOf(state: string): { readonly id: string; readonly time: number }[] {
  let ids: string[];
  try {
    ids = readdirSync(join(state, "runs"), { withFileTypes: true })
      .flatMap((entry) => entry.isDirectory() ? [entry.name] : []);
  } catch {
    return []; // the first run of all
  }
  return ids.flatMap((id) => {
    const found = statSync(join(runFolder(state, id), "journal.jsonl"), { throwIfNoEntry: false });
    return found === undefined ? [] : [{ id, time: found.mtimeMs }];
  });
}
