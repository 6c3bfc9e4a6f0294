import { toBackstepError } from "../../base/error.ts";
import { Artefacts } from "../artefacts.ts";
import { type JournalLine, readJournal, runFolder } from "../journal.ts";
import { Seal } from "../seal.ts";
import { type RunEvidence, unpackEvidence } from "./pack.ts";

/** A run's journal and artefacts, opened for a report. */
export interface OpenedEvidence {
  /** What is sealed stays sealed; empty when the journal cannot be read. */
  readonly lines: readonly JournalLine[];
  /** Undefined: none was kept. */
  readonly evidence: RunEvidence | undefined;
  /** An artefact by its name; undefined when it cannot be opened. */
  artefact(name: string): Uint8Array | undefined;
  /** Why something cannot be opened. */
  readonly missing: string | undefined;
}

/** Opens what was kept of a run, lazily as far as pictures of checks go. Never throws: what cannot be opened is named. */
export function readEvidence(state: string, run: string): OpenedEvidence {
  const folder = runFolder(state, run);
  let lines: readonly JournalLine[] = [];
  try {
    lines = readJournal(folder);
    const store = new Artefacts(folder, Seal.open(state, run));
    const artefact = (name: string) => {
      try {
        return store.get(name);
      } catch (thrown) {
        if (toBackstepError(thrown).code === "io") return undefined;
        throw thrown;
      }
    };
    const name = lines.findLast(({ kind }) => kind === "evidence")?.["artefact"];
    const evidence = typeof name === "string" ? unpackEvidence(store.get(name)) : undefined;
    return { lines, evidence, artefact, missing: undefined };
  } catch (thrown) {
    const missing = toBackstepError(thrown).message;
    return { lines, evidence: undefined, artefact: () => undefined, missing };
  }
}
