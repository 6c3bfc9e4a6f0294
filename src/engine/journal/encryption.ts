import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BackstepError, type Json } from "../../base/error.ts";
import { type Sink, syncPath } from "./sink.ts";

/** Bytes of a nonce, and nonces that are drawn at once. */
const NONCE = 12;
const NONCES = 64;

/**
 * Encrypts what a journal holds of a desktop (images before and after) with a key of the run's own, kept outside the
 * run's folder: a run that is exported leaks nothing. AES-256-GCM; the encrypted form is base64 of nonce, tag and text.
 */
export class Encryption {
  readonly #key: Uint8Array;
  /** Random bytes for the next nonces, and how many of them were used. */
  #nonces: Uint8Array = new Uint8Array(0);
  #used = 0;

  private constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** A new key for a run, written to `<state>/keys/<run>` (0600). */
  static create(state: string, run: string): Encryption {
    const file = keyFile(state, run);
    const key = randomBytes(32);
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      chmodSync(dirname(file), 0o700);
      writeFileSync(file, key, { mode: 0o600, flag: "wx" });
    } catch (cause) {
      throw new BackstepError("io", `Cannot write the key of run ${run} to ${file}`, {
        cause,
        hint: "Set BACKSTEP_STATE to a writable folder.",
      });
    }
    return new Encryption(key);
  }

  /** Makes a run's key survive a power cut: what it encrypted could not be read without it. */
  static sync(state: string, run: string, sink: Sink): void {
    const file = keyFile(state, run);
    syncPath(file, sink);
    syncPath(dirname(file), sink);
  }

  /** The key of an earlier run; `io` when it was pruned. */
  static open(state: string, run: string): Encryption {
    try {
      return new Encryption(readFileSync(keyFile(state, run)));
    } catch (cause) {
      throw new BackstepError(
        "io",
        `Cannot read the key of run ${run}: it was pruned, or belongs to somebody else`,
        {
          cause,
        },
      );
    }
  }

  /** With a key that another thread of this process has. */
  static of(key: Uint8Array): Encryption {
    return new Encryption(key);
  }

  /** The key itself, for another thread of this process: it is written nowhere else. */
  get key(): Uint8Array {
    return this.#key;
  }

  /** Forgets a run's key: what it encrypted can never be read again. */
  static destroy(state: string, run: string): void {
    rmSync(keyFile(state, run), { force: true });
  }

  /** A checksum of bytes (HMAC-SHA-256, 64 hexadecimal digits) that tells nothing to who has not the key. */
  nameOf(bytes: Uint8Array): string {
    return createHmac("sha256", this.#key).update("artefact\n").update(bytes).digest("hex");
  }

  /** Encrypts a value; it is not written anywhere. */
  encrypt(value: Json): string {
    return this.encryptBytes(new TextEncoder().encode(JSON.stringify(value))).toString("base64");
  }

  /** What was encrypted; `io` when it was changed, or is another run's. */
  decrypt(encrypted: string): Json {
    const text = this.decryptBytes(Buffer.from(encrypted, "base64"));
    const value: Json = JSON.parse(new TextDecoder().decode(text));
    return value;
  }

  /** Nonce, tag and text. */
  encryptBytes(bytes: Uint8Array): Buffer {
    const nonce = this.#nonce();
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const text = cipher.update(bytes);
    const rest = cipher.final();
    return Buffer.concat([nonce, cipher.getAuthTag(), text, rest]);
  }

  /** Many are drawn at once: a step encrypts twice, and to draw one costs as much as half of that. */
  #nonce(): Uint8Array {
    if (this.#used === this.#nonces.length) [this.#nonces, this.#used] = [randomBytes(NONCES * NONCE), 0];
    return this.#nonces.subarray(this.#used, this.#used += NONCE);
  }

  decryptBytes(encrypted: Uint8Array): Uint8Array {
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, encrypted.subarray(0, 12), {
        authTagLength: 16,
      });
      decipher.setAuthTag(encrypted.subarray(12, 28));
      return Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]);
    } catch (cause) {
      throw new BackstepError(
        "io",
        "Cannot decrypt a journal entry: it was changed, or its key is another run's",
        { cause },
      );
    }
  }
}

function keyFile(state: string, run: string): string {
  return join(state, "keys", run);
}
