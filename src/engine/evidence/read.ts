import { type Json, toBackstepError } from "../../base/error.ts";
import { Artefacts } from "../journal/artefacts.ts";
import { readJournal, runFolder } from "../journal/journal.ts";
import { Encryption } from "../journal/encryption.ts";
import type { JournalRecord } from "../journal/records/mod.ts";
import { shownWords } from "../journal/encrypted-words.ts";
import { LOG, readLog } from "./log.ts";
import { type RunEvidence, unpackEvidence } from "./pack.ts";

/** A run's journal and artefacts, opened for a report. */
export interface OpenedEvidence {
  /** What is encrypted stays encrypted; empty when the journal cannot be read. */
  readonly records: readonly JournalRecord[];
  /** Undefined: none was kept. */
  readonly evidence: RunEvidence | undefined;
  /** What is encrypted in a record, as people may see it; undefined: nothing, or it cannot be opened. */
  decrypted(record: JournalRecord): Json | undefined;
  /** An artefact by its name; undefined when it cannot be opened. */
  artefact(name: string): Uint8Array | undefined;
  /** Why something cannot be opened. */
  readonly missing: string | undefined;
}

/** Opens what was kept of a run, lazily as far as pictures of checks go. Never throws: what cannot be opened is named. */
export function readEvidence(state: string, run: string): OpenedEvidence {
  const folder = runFolder(state, run);
  let records: readonly JournalRecord[] = [];
  try {
    records = readJournal(folder);
    const encryption = Encryption.open(state, run);
    const store = new Artefacts(folder, encryption);
    const artefact = (name: string) => orNothing(() => store.get(name));
    const decrypted = (record: JournalRecord) => {
      const encrypted = "encrypted" in record ? record.encrypted : undefined;
      return encrypted === undefined ? undefined : orNothing(() => shownWords(encryption.decrypt(encrypted)));
    };
    const kept = records.findLast((record) => record.kind === "evidence");
    // A run that was killed has no line that names it.
    const evidence = kept === undefined || kept.artefact === LOG
      ? readLog(store.folder, encryption)
      : unpackEvidence(store.get(kept.artefact));
    return { records, evidence, artefact, decrypted, missing: undefined };
  } catch (thrown) {
    const missing = toBackstepError(thrown).message;
    const nothing = () => undefined;
    return { records, evidence: undefined, artefact: nothing, decrypted: nothing, missing };
  }
}

function orNothing<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (thrown) {
    if (toBackstepError(thrown).code === "io") return undefined;
    throw thrown;
  }
}
