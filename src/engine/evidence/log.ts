import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BackstepError } from "../../base/error.ts";
import type { StepLook } from "../../contract/events.ts";
import type { Encryption } from "../journal/encryption.ts";
import type { RunEvidence, SeenStep } from "./pack.ts";
import type { KeptScreenshot } from "./screenshots.ts";

/**
 * What was seen of a run, written while it goes: entries one after another, each four bytes with its length (little-endian) and
 * its encrypted JSON. Each picture is a file of its own beside it, which is whole before an entry names it.
 */
export const LOG = "evidence";

/** The file of a picture, by its number. */
export function pictureFile(number: number): string {
  return `${LOG}-${number}`;
}

/** One entry. */
export type LogEntry =
  | { readonly picture: number; readonly width: number; readonly height: number }
  | { readonly tree: number; readonly lines: readonly string[] }
  | { readonly step: SeenStep }
  | { readonly rollback: { readonly path: string; readonly after: StepLook } };

/** An entry as it is written. */
export function sealedEntry(entry: string, encryption: Encryption): Uint8Array {
  const sealed = encryption.encryptBytes(Buffer.from(entry));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(sealed.length);
  return Buffer.concat([length, sealed]);
}

/**
 * What the log in a run's folder of artefacts says, as far as it was written: a run that was killed has a torn end at most.
 * Undefined: there is none. Throws `io` when it was changed.
 */
export function readLog(folder: string, encryption: Encryption): RunEvidence | undefined {
  const bytes = fileOf(join(folder, LOG));
  if (bytes === undefined) return undefined;
  const steps: SeenStep[] = [];
  const rollbacks: { readonly path: string; readonly after: StepLook }[] = [];
  const pictures: KeptScreenshot[] = [];
  const trees: (readonly string[])[] = [];
  let dropped = 0;
  for (const entry of entriesOf(bytes, encryption)) {
    if ("step" in entry) steps.push(entry.step);
    else if ("rollback" in entry) rollbacks.push(entry.rollback);
    else if ("tree" in entry) trees[entry.tree] = entry.lines;
    else {
      const { picture, width, height } = entry;
      const sealed = fileOf(join(folder, pictureFile(picture)));
      if (sealed === undefined) dropped++;
      pictures[picture] = { width, height, png: sealed && encryption.decryptBytes(sealed) };
    }
  }
  return { steps, rollbacks, pictures, trees, dropped };
}

function* entriesOf(bytes: Buffer, encryption: Encryption): Generator<LogEntry> {
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32LE(at);
    if (end > bytes.length) return; // it was killed while it wrote this one
    const entry: LogEntry = JSON.parse(
      Buffer.from(encryption.decryptBytes(bytes.subarray(at + 4, end))).toString(),
    );
    yield entry;
    at = end;
  }
}

function fileOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new BackstepError("io", `Cannot read ${file}`, { cause });
  }
}
