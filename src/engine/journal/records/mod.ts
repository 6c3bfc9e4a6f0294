import { z } from "zod";
import {
  ActionBegin,
  ActionEnd,
  ActionRenewed,
  Gone,
  Interference,
  Step,
  WithheldElements,
} from "./action.ts";
import { Begin, Chose, Commit, Savepoint, Settled } from "./flow.ts";
import { Recover, Redone, RedoRun, UndoRun } from "./recovery.ts";
import { Changed, Rollback, RolledBack, Undoing, Undone } from "./rollback.ts";
import { End, Evidence, Rebuild, Rebuilt, Run, type VERSION } from "./run.ts";

/** Every kind of record that a journal holds. A new kind is one more here, and one version more. */
export const JournalRecord = z.discriminatedUnion("kind", [
  Run,
  Begin,
  ActionBegin,
  ActionRenewed,
  ActionEnd,
  Gone,
  Step,
  Interference,
  Savepoint,
  Settled,
  Commit,
  Rollback,
  Undoing,
  Undone,
  RolledBack,
  Changed,
  Rebuild,
  Rebuilt,
  Chose,
  Recover,
  UndoRun,
  RedoRun,
  Evidence,
  Redone,
  WithheldElements,
  End,
]);

/** One line of a journal, read: `n` is its number, `at` its time in milliseconds since 1970. */
export type JournalRecord = Readonly<z.infer<typeof JournalRecord>>;

/** Records of one kind. */
export type RecordOf<K extends JournalRecord["kind"]> = Extract<JournalRecord, { readonly kind: K }>;

/** What a record says before it is written: the journal numbers it and adds the time. */
export type JournalEntry = Entry<JournalRecord>;

type Entry<R> = R extends JournalRecord
  ? R extends { readonly kind: "run" } ? Omit<R, "n" | "at"> & { readonly version: typeof VERSION }
  : Omit<R, "n" | "at">
  : never;
