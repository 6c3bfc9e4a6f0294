import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";

/** Bytes of a file that holds a secret; what is larger is something else. */
const MOST = 65_536;

/**
 * Reads a secret from a file: the whole of it without the line break at its end. Throws `usage` unless the file is the
 * caller's own and nobody else may read it (0600 or 0400). What is in it is never part of an error.
 */
export function readSecretFile(name: string, path: string): string {
  const refused = (why: string, hint: string, cause?: unknown) =>
    new BackstepError("usage", `Cannot read the secret ${name} from ${path}: ${why}`, { hint, cause });
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (cause) {
    throw refused("it cannot be opened", "Write the secret into it, with mode 0600.", cause);
  }
  try {
    // Of what is open, and not of what stands under the name by now.
    const { mode, size, uid } = fstatSync(descriptor);
    if ((mode & 0o170000) !== 0o100000) throw refused("it is no file", "Name a file.");
    const rights = mode & 0o777;
    if (rights !== 0o600 && rights !== 0o400) {
      const shown = rights.toString(8).padStart(4, "0");
      throw refused(`its mode is ${shown}, not 0600 or 0400`, `Take it from the others: chmod 600 ${path}`);
    }
    if (uid !== process.getuid?.()) throw refused("it is somebody else's", "Use a file of your own.");
    if (size > MOST) throw refused(`it has ${size} bytes`, `A secret has at most ${MOST}.`);
    const bytes = new Uint8Array(MOST);
    let length = 0;
    for (let read = -1; read !== 0 && length < MOST; length += read) {
      read = readSync(descriptor, bytes, length, MOST - length, null);
    }
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
    const secret = text.replace(/\r?\n$/, "");
    if (secret === "") throw refused("it is empty", "Write the secret into it.");
    return secret;
  } catch (thrown) {
    if (thrown instanceof BackstepError) throw thrown;
    throw refused("it is no text in UTF-8, or cannot be read", "Write the secret as text.", undefined);
  } finally {
    closeSync(descriptor);
  }
}
