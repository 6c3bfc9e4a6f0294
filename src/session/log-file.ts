import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** What a log may grow to, and what is left of it then, in bytes. */
const LARGEST = 1 << 20;
const KEPT = 1 << 16;

/** The last lines of a log: at most `lines` of them and 2,000 characters; "" when there is none. */
export function tailOf(file: string, lines = 8): string {
  const text = new TextDecoder().decode(lastBytes(file, 4_096));
  return text.trimEnd().split("\n").slice(-lines).join("\n").slice(-2_000);
}

/**
 * Cuts a log that grew too large down to its end. Its writer has it open for appending, so that it goes on after what
 * was kept; what it writes during the cut may be lost.
 */
export function trimLog(file: string): void {
  const last = lastBytes(file, KEPT, LARGEST);
  if (last.length === 0) return;
  try {
    truncateSync(file, 0);
  } catch (error) {
    if (isAbsent(error)) return; // removed meanwhile, by whoever prunes the folder
    throw error;
  }
  writeFileSync(file, last, { flag: "a" });
}

/** Removes the oldest logs of a folder, so that `keep` are left. Others may prune the same folder at the same time. */
export function pruneLogs(folder: string, keep = 40): void {
  const logs = readdirSync(folder).filter((name) => name.endsWith(".log")).map((name) => join(folder, name));
  const aged = logs.map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at);
  for (const { file } of aged.slice(keep)) rmSync(file, { force: true });
}

/** The end of a file, when it holds more than `unless` bytes. */
function lastBytes(file: string, most: number, unless = 0): Uint8Array {
  let handle: number;
  try {
    handle = openSync(file, "r");
  } catch (error) {
    if (isAbsent(error)) return new Uint8Array(0);
    throw error;
  }
  try {
    const { size } = fstatSync(handle);
    if (size <= unless) return new Uint8Array(0);
    const bytes = new Uint8Array(Math.min(size, most));
    const read = readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    return bytes.subarray(0, read);
  } finally {
    closeSync(handle);
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
