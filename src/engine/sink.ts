import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

/** How bytes reach the disk: the one place where an experiment may cut a run off, or watch what is durable when. */
export interface Sink {
  /** Writes from `from` on and answers how many bytes it wrote. */
  write(descriptor: number, bytes: Uint8Array, from: number): number;
  /** Returns when what was written to a file survives a power cut. */
  sync(descriptor: number): void;
}

/** The disk itself. */
export const DISK: Sink = {
  write: (descriptor, bytes, from) => writeSync(descriptor, bytes, from),
  sync: (descriptor) => fsyncSync(descriptor),
};

/** Which lines of a journal a run waits for until they are on the disk. */
export type Durability =
  | "barriers" // those before a deed that outlives a power cut: irreversible ones, and all where `files:` are declared
  | "full"; // each, before what it announces

/** Makes a file or a folder, by its path, survive a power cut. */
export function syncPath(path: string, sink: Sink): void {
  const descriptor = openSync(path, "r");
  try {
    sink.sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
