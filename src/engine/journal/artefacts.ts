import { closeSync, mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { BackstepError } from "../../base/error.ts";
import type { Encryption } from "./encryption.ts";
import { DISK, type Sink, syncPath } from "./sink.ts";

/**
 * What is too large for a line of the journal: encrypted files in the run's folder, named by a checksum of what is in them that
 * only the run's key can make: the name of a short file must not tell what it holds.
 * One is durable before a line can name it.
 */
export class Artefacts {
  /** Where they are. */
  readonly folder: string;
  readonly #encryption: Encryption;
  readonly #sink: Sink;
  readonly #kept = new Set<string>();

  constructor(runFolder: string, encryption: Encryption, sink: Sink = DISK) {
    this.#sink = sink;
    this.folder = join(runFolder, "artefacts");
    this.#encryption = encryption;
  }

  /** Keeps bytes and answers their name; the same bytes are kept once. Throws `io`. */
  put(bytes: Uint8Array): string {
    const name = this.#encryption.nameOf(bytes);
    if (this.#kept.has(name)) return name;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const file = join(this.folder, name);
      const descriptor = openSync(`${file}.new`, "w", 0o600);
      try {
        const encrypted = this.#encryption.encryptBytes(bytes);
        let written = 0;
        while (written < encrypted.length) written += this.#sink.write(descriptor, encrypted, written);
        this.#sink.sync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(`${file}.new`, file);
      syncPath(this.folder, this.#sink);
    } catch (cause) {
      throw new BackstepError("io", `Cannot keep ${bytes.length} bytes in ${this.folder}`, { cause });
    }
    this.#kept.add(name);
    return name;
  }

  /** The bytes of a name. Throws `io` when they are not there, or are not what was kept. */
  get(name: string): Uint8Array {
    const file = join(this.folder, name);
    let encrypted: Uint8Array;
    try {
      encrypted = readFileSync(file);
    } catch (cause) {
      throw new BackstepError("io", `Cannot read ${file}`, { cause });
    }
    const bytes = this.#encryption.decryptBytes(encrypted);
    if (this.#encryption.nameOf(bytes) === name) return bytes;
    throw new BackstepError("io", `Cannot read ${file}: it is not what was kept`);
  }
}
