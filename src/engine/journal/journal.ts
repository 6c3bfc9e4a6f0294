import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BackstepError } from "../../base/error.ts";
import type { Durability } from "../model/durability.ts";
import { checksum, readJournal } from "./read-journal.ts";
import type { JournalEntry } from "./records/mod.ts";
import { otherNames } from "./records/names.ts";
import { DISK, type Sink, syncPath } from "./sink.ts";

export { isFinished, isOpenJournal, readJournal } from "./read-journal.ts";

/**
 * The write-ahead journal of a run: append-only JSON lines, each with a number and a checksum, in a folder of its own
 * (0700). A line is with the operating system when `write` returns, so it survives our own death; `sync`, or
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
        hint: "Set BACKSTEP_STATE to a writable folder.",
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

  /** One that takes every line and writes none: for looking at what a rollback would do. */
  static unwritten(state: string, run: string): Journal {
    return new Journal(runFolder(state, run), run, undefined, DISK, false);
  }

  #append(file: string): void {
    if (this.#descriptor === undefined) return;
    ftruncateSync(this.#descriptor, this.#size);
    closeSync(this.#descriptor);
    this.#descriptor = openSync(file, "a");
  }

  /** Appends a line and answers its number. Throws `io` when it could not be written whole: the action that it announces must not happen. */
  write(entry: JournalEntry, options: { readonly sync?: boolean } = {}): number {
    if (!this.#written) return this.#next++;
    if (this.#descriptor === undefined) {
      throw new BackstepError("internal", `Cannot write to the journal of run ${this.run}: it is closed`);
    }
    const body = JSON.stringify({ n: this.#next, at: Date.now(), ...otherNames(entry) });
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
  rests(action: (sink: Sink) => void): void {
    this.#beneath.push(() => action(this.#sink));
  }

  #sync(descriptor: number): void {
    this.#sink.sync(descriptor);
    for (const action of this.#beneath) action();
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
