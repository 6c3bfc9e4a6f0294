import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { BackstepError, type Json } from "../../base/error.ts";
import type { JournalRecord } from "./records/mod.ts";
import type { Where } from "./records/bad-field.ts";
import { parseRecord } from "./records/parse.ts";

/**
 * Reads a journal: each line is parsed once, into a record. A torn last line (a power cut, a full disk) is left out. Throws
 * `io` with the place of a broken line before it, of one that says no record that this program knows, and of a field that is
 * missing, or is not what its kind of record has.
 */
export function readJournal(folder: string): JournalRecord[] {
  return [...recordsIn(folder)];
}

/** The same one record after the other, up to the first line that is broken. */
export function* recordsIn(folder: string): Generator<JournalRecord> {
  const file = journalFile(folder);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new BackstepError("io", `Cannot read ${file}`, { cause });
  }
  const lines = text.split("\n");
  const torn = lines.pop();
  for (const [index, line] of lines.entries()) {
    const body = line.slice(17);
    if (line[16] !== " " || checksum(body) !== line.slice(0, 16)) {
      if (index === lines.length - 1 && torn === "") break;
      throw new BackstepError("io", `Cannot read ${file}: line ${index + 1} is not what was written`, {
        place: { file, line: index + 1, column: 1 },
      });
    }
    const where = { file, line: index + 1 };
    const record = recordOf(body, where);
    if (record.n !== where.line) {
      throw new BackstepError(
        "io",
        `Cannot read ${file}: line ${where.line} says that it is line ${record.n}`,
        {
          place: { ...where, column: 1 },
        },
      );
    }
    yield record;
  }
}

/** The journal in a run's folder. */
export function journalFile(folder: string): string {
  return join(folder, "journal.jsonl");
}

/** Whether the run in this folder has begun and not ended: somebody may have to undo it. */
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

/** Whether the last line of a journal says that the run has ended. Never throws. */
export function isFinished(folder: string): boolean {
  return lastOf(folder)?.kind === "end";
}

/** The last record of a journal, of which no more is read; undefined: there is none that can be read. Never throws. */
export function lastOf(folder: string): JournalRecord | undefined {
  const file = journalFile(folder);
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(descriptor);
    const tail = new Uint8Array(Math.min(size, TAIL));
    const read = readSync(descriptor, tail, 0, tail.length, size - tail.length);
    const line = new TextDecoder().decode(tail.subarray(0, read)).split("\n").at(-2) ?? "";
    const body = line.slice(17);
    return checksum(body) === line.slice(0, 16) ? recordOf(body, { file, line: 0 }) : undefined;
  } catch {
    return undefined; // it changes meanwhile, or cannot be read
  } finally {
    closeSync(descriptor);
  }
}

function recordOf(body: string, where: Where): JournalRecord {
  let json: Json;
  try {
    json = JSON.parse(body);
  } catch (cause) {
    throw new BackstepError("io", `Cannot read ${where.file}: line ${where.line} is no JSON`, {
      cause,
      place: { ...where, column: 1 },
    });
  }
  return parseRecord(json, where);
}

/** The beginning of the SHA-256 of a line, which stands before it. */
export function checksum(body: string): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 16);
}
