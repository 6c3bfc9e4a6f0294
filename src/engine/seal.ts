import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BackstepError, type Json } from "../base/error.ts";

/**
 * Encrypts what a journal holds of a desktop (images before and after) with a key of the run's own, kept outside the
 * run's folder: a run that is exported leaks nothing. AES-256-GCM; the sealed form is base64 of nonce, tag and text.
 */
export class Seal {
  readonly #key: Uint8Array;

  private constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** A new key for a run, written to `<state>/keys/<run>` (0600). */
  static create(state: string, run: string): Seal {
    const file = keyFile(state, run);
    const key = randomBytes(32);
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      chmodSync(dirname(file), 0o700);
      writeFileSync(file, key, { mode: 0o600, flag: "wx" });
    } catch (cause) {
      throw new BackstepError("io", `Cannot write the key of run ${run} to ${file}`, {
        cause,
        hint: "Set BACKSTEP_STATE to a folder that can be written.",
      });
    }
    return new Seal(key);
  }

  /** The key of an earlier run; `io` when it was pruned. */
  static open(state: string, run: string): Seal {
    try {
      return new Seal(readFileSync(keyFile(state, run)));
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

  /** Forgets a run's key: what it sealed can never be read again. */
  static destroy(state: string, run: string): void {
    rmSync(keyFile(state, run), { force: true });
  }

  seal(value: Json): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64");
  }

  unseal(sealed: string): Json {
    const bytes = Buffer.from(sealed, "base64");
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, 12), {
        authTagLength: 16,
      });
      decipher.setAuthTag(bytes.subarray(12, 28));
      const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
      const value: Json = JSON.parse(text.toString("utf8"));
      return value;
    } catch (cause) {
      throw new BackstepError(
        "io",
        "Cannot unseal a journal entry: it was changed, or its key is another run's",
        {
          cause,
        },
      );
    }
  }
}

function keyFile(state: string, run: string): string {
  return join(state, "keys", run);
}
