import { toBackstepError } from "../base/error.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { evidenceOf } from "./evidence.ts";
import { type Entry, EvidenceStore, plain } from "./store.ts";

/** Keeps what the locators of a recording stand for, for the file that it is written to. */
export class RecordedEvidence {
  readonly #entries = new Map<string, Entry>();

  /** A step of the recording names a row by a selector. */
  readonly onTarget = (selector: string, snapshot: Snapshot, row: number): void => {
    const element = plain(evidenceOf(snapshot, row, snapshot.name(row) === ""));
    this.#entries.set(selector, { path: "", selector, at: new Date().toISOString(), element });
  };

  /** The recording is written. */
  keep(state: string, file: string, note: (message: string) => void): void {
    try {
      new EvidenceStore(state).keep(file, [...this.#entries.values()]);
    } catch (thrown) {
      note(toBackstepError(thrown).message);
    }
  }
}
