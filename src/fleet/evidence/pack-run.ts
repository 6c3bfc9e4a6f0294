import { Buffer } from "node:buffer";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { LOG } from "../../engine/evidence/log.ts";
import { Encryption } from "../../engine/journal/encryption.ts";
import { runFolder } from "../../engine/journal/journal.ts";
import { LIMITS } from "../schema/tables.ts";
import type { FleetKey } from "./fleet-key.ts";

/** What a pack begins with: four bytes with its length (little-endian), then this as JSON; the bytes of the files follow. */
export const PackHead = z.object({
  version: z.literal(1),
  run: z.string().regex(/^[\w-]{1,100}$/),
  /** The run's key, encrypted with the fleet's; null: the fleet has none, and nothing of the run can be opened. */
  key: z.string().max(1_000).nullable(),
  files: z.array(z.object({
    name: z.string().regex(/^(journal\.jsonl|artefacts\/\w[\w.-]{0,150})$/),
    size: z.number().int().nonnegative(),
  })).max(20_000),
  /** Files that found no place, and their bytes. */
  left: z.object({ files: z.number(), bytes: z.number() }),
});
/** What a pack begins with. */
export type PackHead = z.infer<typeof PackHead>;

/** How a run is packed. */
export interface Packing {
  readonly key: FleetKey | undefined;
  /** Bytes at most; default and limit: those of an artefact. Files that find no place are left out, the journal last. */
  readonly most?: number;
}

/** Bytes that the head may take. */
const HEAD = 4 << 20;

/**
 * A run's journal, its encrypted evidence and its encrypted key, in pieces that a row of the database holds. Its files are read
 * as they are sent. Throws `io` where they cannot be read.
 */
export async function* packRun(
  state: string,
  run: string,
  { key, most }: Packing,
): AsyncGenerator<Uint8Array> {
  const folder = runFolder(state, run);
  const found = await filesOf(folder);
  let room = Math.min(most ?? LIMITS.artefact, LIMITS.artefact) - Math.min(HEAD, 200 * (found.length + 5));
  const files: { name: string; size: number }[] = [];
  const left = { files: 0, bytes: 0 };
  for (const file of found) {
    if (file.size > room) {
      left.files++;
      left.bytes += file.size;
      continue;
    }
    room -= file.size;
    files.push(file);
  }
  const ownKey = key === undefined ? null : key.encrypt(run, Encryption.open(state, run).key);
  const head: PackHead = { version: 1, run, key: ownKey, files, left };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  yield* inPieces(bytesOf(folder, Buffer.concat([length, json]), files), LIMITS.piece);
}

/** What of a run is kept for reports: the journal, what was seen, what checks kept. What matters most comes first. */
async function filesOf(folder: string): Promise<{ readonly name: string; readonly size: number }[]> {
  const names = ["journal.jsonl"];
  try {
    const artefacts = await readdir(join(folder, "artefacts"));
    const rank = (name: string) => name === LOG ? 0 : name.startsWith(`${LOG}-`) ? 1 : 2;
    artefacts.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, "en", { numeric: true }));
    names.push(...artefacts.filter((name) => !name.endsWith(".new")).map((name) => `artefacts/${name}`));
  } catch (thrown) {
    // It kept nothing beside its journal.
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT")) {
      throw cannot(folder, thrown);
    }
  }
  const files: { name: string; size: number }[] = [];
  for (const name of names) {
    try {
      files.push({ name, size: (await stat(join(folder, name))).size });
    } catch (thrown) {
      throw cannot(folder, thrown);
    }
  }
  return files;
}

async function* bytesOf(
  folder: string,
  head: Uint8Array,
  files: readonly { readonly name: string; readonly size: number }[],
): AsyncGenerator<Uint8Array> {
  yield head;
  for (const { name, size } of files) {
    if (size <= LIMITS.piece) {
      const bytes = await readFile(join(folder, name));
      if (bytes.length < size) throw cannot(folder, new Error(`${name} became shorter`));
      yield bytes.subarray(0, size);
      continue;
    }
    const file = await open(join(folder, name), "r");
    try {
      for (let at = 0; at < size;) {
        const part = new Uint8Array(Math.min(LIMITS.piece, size - at));
        const { bytesRead } = await file.read(part, 0, part.length, at);
        if (bytesRead === 0) throw cannot(folder, new Error(`${name} became shorter`));
        yield part.subarray(0, bytesRead);
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  }
}

/** The same bytes, all pieces but the last of one size. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(size);
  let filled = 0;
  for await (const part of bytes) {
    for (let at = 0; at < part.length;) {
      const take = Math.min(size - filled, part.length - at);
      piece.set(part.subarray(at, at + take), filled);
      filled += take;
      at += take;
      if (filled < size) continue;
      yield piece;
      piece = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

function cannot(folder: string, cause: unknown): BackstepError {
  return new BackstepError("io", `Cannot pack ${folder}: ${toBackstepError(cause).message}`, { cause });
}
