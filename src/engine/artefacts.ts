import { closeSync, mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { BackstepError } from "../base/error.ts";
import type { Seal } from "./seal.ts";
import { DISK, type Sink, syncPath } from "./sink.ts";

/**
 * What is too large for a line of the journal: sealed files in the run's folder, named by a checksum of what is in them that
 * only the run's key can make: the name of a short file must not tell what it holds.
 * One is durable before a line can name it.
 */
export class Artefacts {
  readonly #folder: string;
  readonly #seal: Seal;
  readonly #sink: Sink;
  readonly #kept = new Set<string>();

  constructor(runFolder: string, seal: Seal, sink: Sink = DISK) {
    this.#sink = sink;
    this.#folder = join(runFolder, "artefacts");
    this.#seal = seal;
  }

  /** Keeps bytes and answers their name; the same bytes are kept once. Throws `io`. */
  put(bytes: Uint8Array): string {
    const name = this.#seal.nameOf(bytes);
    if (this.#kept.has(name)) return name;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const file = join(this.#folder, name);
      const descriptor = openSync(`${file}.new`, "w", 0o600);
      try {
        const sealed = this.#seal.sealBytes(bytes);
        let written = 0;
        while (written < sealed.length) written += this.#sink.write(descriptor, sealed, written);
        this.#sink.sync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(`${file}.new`, file);
      syncPath(this.#folder, this.#sink);
    } catch (cause) {
      throw new BackstepError("io", `Cannot keep ${bytes.length} bytes in ${this.#folder}`, { cause });
    }
    this.#kept.add(name);
    return name;
  }

  /** The bytes of a name. Throws `io` when they are not there, or are not what was kept. */
  get(name: string): Uint8Array {
    const file = join(this.#folder, name);
    let sealed: Uint8Array;
    try {
      sealed = readFileSync(file);
    } catch (cause) {
      throw new BackstepError("io", `Cannot read ${file}`, { cause });
    }
    const bytes = this.#seal.unsealBytes(sealed);
    if (this.#seal.nameOf(bytes) === name) return bytes;
    throw new BackstepError("io", `Cannot read ${file}: it is not what was kept`);
  }
}
