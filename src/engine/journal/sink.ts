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

/** Makes a file or a folder, by its path, survive a power cut. */
export function syncPath(path: string, sink: Sink): void {
  const descriptor = openSync(path, "r");
  try {
    sink.sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
