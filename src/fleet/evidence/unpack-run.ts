import { Buffer } from "node:buffer";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BackstepError } from "../../base/error.ts";
import { runFolder } from "../../engine/journal/journal.ts";
import { LIMITS } from "../schema/tables.ts";
import type { FleetKey } from "./fleet-key.ts";
import { PackHead } from "./pack-run.ts";

/** What came of unpacking. */
export interface Unpacked {
  /** Why nothing of the run can be opened here; undefined: it can. */
  readonly closed: string | undefined;
  /** Files that had no place in the pack. */
  readonly left: number;
}

/**
 * Writes what `packRun` sent into a state folder, as if the run had been made here. What does not keep to the form of a pack
 * is refused, and leaves nothing: it comes from other machines. Throws `io`.
 */
export async function unpackRun(
  pieces: AsyncIterable<Uint8Array>,
  { state, run, key }: { readonly state: string; readonly run: string; readonly key: FleetKey | undefined },
): Promise<Unpacked> {
  const reader = new Reader(pieces);
  const length = (await reader.take(4, run)).readUInt32LE(0);
  if (length > LIMITS.artefact) throw broken(run);
  const head = headOf(await reader.take(length, run), run);
  const folder = runFolder(state, run);
  const draft = `${folder}.new`;
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    for (const { name, size } of head.files) await copy(reader, join(draft, name), size, run);
    if (!await reader.isEmpty()) throw broken(run);
    let closed: string | undefined;
    if (head.key === null) closed = "the worker that ran it had no BACKSTEP_FLEET_KEY";
    else if (key === undefined) closed = "there is no BACKSTEP_FLEET_KEY here";
    else {
      const opened = key.decrypt(run, head.key);
      await mkdir(join(state, "keys"), { recursive: true, mode: 0o700 });
      await writeFile(join(state, "keys", run), opened, { mode: 0o600 });
    }
    await rename(draft, folder);
    return { closed, left: head.left.files };
  } catch (thrown) {
    await rm(draft, { recursive: true, force: true });
    throw thrown;
  }
}

function headOf(bytes: Buffer, run: string): PackHead {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString());
  } catch (cause) {
    throw broken(run, cause);
  }
  const { success, data, error } = PackHead.safeParse(json);
  if (!success) throw broken(run, error);
  if (data.run !== run) throw broken(run);
  return data;
}

async function copy(reader: Reader, file: string, size: number, run: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const target = await open(file, "wx", 0o600);
  try {
    for (let left = size; left > 0;) {
      const part = await reader.some(left, run);
      for (let at = 0; at < part.length;) at += (await target.write(part, at)).bytesWritten;
      left -= part.length;
    }
  } finally {
    await target.close();
  }
}

/** Takes bytes from pieces, whatever their sizes. */
class Reader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Between one byte and so many. */
  async some(most: number, run: string): Promise<Uint8Array> {
    if (await this.isEmpty()) throw broken(run);
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  async take(length: number, run: string): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let left = length; left > 0;) {
      const part = await this.some(left, run);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  async isEmpty(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#pieces.next();
      if (done) return true;
      this.#rest = value;
    }
    return false;
  }
}

function broken(run: string, cause?: unknown): BackstepError {
  return new BackstepError(
    "io",
    `Cannot read the stored evidence of run ${run}: it is not what a worker keeps`,
    {
      cause,
    },
  );
}
