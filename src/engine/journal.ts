import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BackstepError, type Json } from "../base/error.ts";
import { checksum, readJournal } from "./read-journal.ts";
import { DISK, type Durability, type Sink, syncPath } from "./sink.ts";

export { hasEnded, isOpenJournal, type JournalLine, readJournal } from "./read-journal.ts";

/** What a journal line says. Every kind has `kind`; the rest is its own. */
export interface JournalEntry {
  readonly kind:
    | "run" // the first line: what runs, on which desktop
    | "begin" // a transaction begins, or is tried again
    | "intent" // before a deed: what it is, and its way back
    | "outcome" // after it
    | "step" // a step is over: what became of it, and what it answered
    | "interference" // somebody else used keyboard or pointer: how much, and what the run does about it
    | "savepoint" // a place that the flow can go back to
    | "settled" // a call of a live run was answered: what is before it stays, unless its run is undone
    | "commit" // a transaction's steps now belong to what is around it
    | "rollback" // the way back begins
    | "undoing" // an opposite deed is about to be done
    | "undone" // one deed or participant is taken back, or is not, and why
    | "rolled-back" // the way back is over
    | "changed-afterwards" // what had been read as it should be no longer reads so
    | "rebuild" // the private desktop is about to be replaced and replayed
    | "rebuilt" // it was replaced; what follows is on the new one
    | "chose" // which way a condition went
    | "recover" // another process takes over from one that was killed
    | "undo" // a run that passed is taken back after all
    | "redo" // what that took back is put in place again
    | "evidence" // what was seen of the run, as an artefact
    | "redone" // one participant is as the deed had left it, or is not
    | "end"; // the last line
  readonly [field: string]: Json;
}

/**
 * The write-ahead journal of a run: append-only JSON lines, each with a number and a checksum, in a folder of its own
 * (0700). A line is in the operating system's hands when `write` returns, so it survives our own death; `sync`, or
 * `durability` "full" for every line, makes it survive a power cut.
 */
export class Journal {
  readonly folder: string;
  readonly run: string;
  durability: Durability = "barriers";
  readonly #sink: Sink;
  #descriptor: number | undefined;
  #next = 1;
  /** Bytes that stand in the file, whole lines only. */
  #size = 0;

  /** What must be on the disk with the first line that is: the folder that it stands in, the key that opens it. */
  #beneath: (() => void)[];
  readonly #written: boolean;

  private constructor(
    folder: string,
    run: string,
    descriptor: number | undefined,
    sink: Sink,
    written = true,
  ) {
    this.#written = written;
    this.folder = folder;
    this.run = run;
    this.#descriptor = descriptor;
    this.#sink = sink;
    this.#beneath = [folder, dirname(folder)].map((one) => () => syncPath(one, sink));
  }

  /** Creates `<state>/runs/<run>/journal.jsonl`. */
  static create(state: string, run: string, sink: Sink = DISK): Journal {
    const folder = runFolder(state, run);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return new Journal(folder, run, openSync(join(folder, "journal.jsonl"), "ax", 0o600), sink);
    } catch (cause) {
      throw new BackstepError("io", `Cannot create the journal of run ${run} in ${folder}`, {
        cause,
        hint: "Set BACKSTEP_STATE to a folder that can be written.",
      });
    }
  }

  /** Opens a journal to write on: a torn last line is cut off first. Throws `io` when it cannot be read. */
  static reopen(state: string, run: string, sink: Sink = DISK): Journal {
    const folder = runFolder(state, run);
    const lines = readJournal(folder);
    const file = join(folder, "journal.jsonl");
    try {
      const journal = new Journal(folder, run, openSync(file, "r+"), sink);
      const text = readFileSync(file);
      let whole = 0;
      for (let line = 0; line < lines.length; line++) whole = text.indexOf(10, whole) + 1;
      journal.#size = whole;
      journal.#next = lines.length + 1;
      journal.#append(file);
      return journal;
    } catch (cause) {
      throw new BackstepError("io", `Cannot write to the journal of run ${run}`, { cause });
    }
  }

  /** One that takes every line and writes none: for looking at what a way back would do. */
  static unwritten(state: string, run: string): Journal {
    return new Journal(runFolder(state, run), run, undefined, DISK, false);
  }

  #append(file: string): void {
    if (this.#descriptor === undefined) return;
    ftruncateSync(this.#descriptor, this.#size);
    closeSync(this.#descriptor);
    this.#descriptor = openSync(file, "a");
  }

  /** Appends a line and answers its number. Throws `io` when it could not be written whole: the deed that it announces must not happen. */
  write(entry: JournalEntry, options: { readonly sync?: boolean } = {}): number {
    if (!this.#written) return this.#next++;
    if (this.#descriptor === undefined) {
      throw new BackstepError("internal", `Cannot write to the journal of run ${this.run}: it is closed`);
    }
    const body = JSON.stringify({ n: this.#next, at: Date.now(), ...entry });
    const line = new TextEncoder().encode(`${checksum(body)} ${body}\n`);
    try {
      let written = 0;
      while (written < line.length) written += this.#sink.write(this.#descriptor, line, written);
      if (options.sync || this.durability === "full") this.#sync(this.#descriptor);
    } catch (cause) {
      this.#cutBack(this.#descriptor);
      throw new BackstepError("io", `Cannot write to the journal of run ${this.run}`, { cause });
    }
    this.#size += line.length;
    return this.#next++;
  }

  /** What else must be on the disk before the first line counts as being there. */
  rests(deed: (sink: Sink) => void): void {
    this.#beneath.push(() => deed(this.#sink));
  }

  #sync(descriptor: number): void {
    this.#sink.sync(descriptor);
    for (const deed of this.#beneath) deed();
    this.#beneath = [];
  }

  /** A half line may be the last one and no other: what is written after it would not be believed. */
  #cutBack(descriptor: number): void {
    try {
      ftruncateSync(descriptor, this.#size);
    } catch {
      // The disk takes nothing at all: then nothing is written after it either.
      this.close();
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** The folder of a run. */
export function runFolder(state: string, run: string): string {
  return join(state, "runs", run);
}
