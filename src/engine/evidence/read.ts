import { type Json, toBackstepError } from "../../base/error.ts";
import { Artefacts } from "../artefacts.ts";
import { type JournalLine, readJournal, runFolder } from "../journal.ts";
import { Seal } from "../seal.ts";
import { shownWords } from "../sealed-words.ts";
import { type RunEvidence, unpackEvidence } from "./pack.ts";

/** A run's journal and artefacts, opened for a report. */
export interface OpenedEvidence {
  /** What is sealed stays sealed; empty when the journal cannot be read. */
  readonly lines: readonly JournalLine[];
  /** Undefined: none was kept. */
  readonly evidence: RunEvidence | undefined;
  /** What is sealed of a line, secrets masked; undefined when it cannot be opened. */
  unsealed(line: JournalLine): Json | undefined;
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
    const seal = Seal.open(state, run);
    const store = new Artefacts(folder, seal);
    const artefact = (name: string) => orNothing(() => store.get(name));
    const unsealed = ({ sealed }: JournalLine) =>
      typeof sealed === "string" ? orNothing(() => shownWords(seal.unseal(sealed))) : undefined;
    const name = lines.findLast(({ kind }) => kind === "evidence")?.["artefact"];
    const evidence = typeof name === "string" ? unpackEvidence(store.get(name)) : undefined;
    return { lines, evidence, artefact, unsealed, missing: undefined };
  } catch (thrown) {
    const missing = toBackstepError(thrown).message;
    const nothing = () => undefined;
    return { lines, evidence: undefined, artefact: nothing, unsealed: nothing, missing };
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
