import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { BackstepError } from "../base/error.ts";
import type { JournalEntry } from "./journal.ts";

/** A line as it is read back. */
export type JournalLine = JournalEntry & { readonly n: number; readonly at: number };

/**
 * Reads a journal. A torn last line (a power cut, a full disk) is left out; a broken one before it is refused with its
 * place.
 */
export function readJournal(folder: string): JournalLine[] {
  const file = join(folder, "journal.jsonl");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new BackstepError("io", `Cannot read ${file}`, { cause });
  }
  const lines = text.split("\n");
  const torn = lines.pop();
  const entries: JournalLine[] = [];
  for (const [index, line] of lines.entries()) {
    const body = line.slice(17);
    if (line[16] !== " " || checksum(body) !== line.slice(0, 16)) {
      if (index === lines.length - 1 && torn === "") break;
      throw new BackstepError("io", `Cannot read ${file}: line ${index + 1} is not what was written`, {
        place: { file, line: index + 1, column: 1 },
      });
    }
    const entry: JournalLine = JSON.parse(body);
    if (entry.n !== index + 1) {
      throw new BackstepError(
        "io",
        `Cannot read ${file}: line ${index + 1} says that it is line ${entry.n}`,
        {
          place: { file, line: index + 1, column: 1 },
        },
      );
    }
    entries.push(entry);
  }
  return entries;
}

/** Whether the run in this folder has begun and not ended: somebody may have to take it back. */
export function isOpenJournal(folder: string): boolean {
  try {
    const lines = readJournal(folder);
    return lines.length > 0 && lines.at(-1)?.kind !== "end";
  } catch (thrown) {
    // A journal that cannot be read may hide an open run: whoever asks must not throw its desktop away.
    if (thrown instanceof BackstepError && thrown.cause instanceof Error && "code" in thrown.cause) {
      return thrown.cause.code !== "ENOENT";
    }
    return true;
  }
}

/** Bytes at the end of a journal in which its last line is looked for. */
const TAIL = 65_536;

/** Whether the last line of a journal says that the run has ended; reads no more than that. Never throws. */
export function hasEnded(folder: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(join(folder, "journal.jsonl"), "r");
  } catch {
    return false; // without a journal nothing says that it has
  }
  try {
    const { size } = fstatSync(descriptor);
    const tail = new Uint8Array(Math.min(size, TAIL));
    const read = readSync(descriptor, tail, 0, tail.length, size - tail.length);
    const line = new TextDecoder().decode(tail.subarray(0, read)).split("\n").at(-2) ?? "";
    const body = line.slice(17);
    return checksum(body) === line.slice(0, 16) && JSON.parse(body).kind === "end";
  } catch {
    return false; // it changes under our hands, or cannot be read: it stays
  } finally {
    closeSync(descriptor);
  }
}

/** The beginning of the SHA-256 of a line, which stands before it. */
export function checksum(body: string): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 16);
}
