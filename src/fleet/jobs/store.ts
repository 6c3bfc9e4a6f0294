import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import type { Database } from "../database/database.ts";

const Hash = z.object({ hash: z.string() });
const Blob = z.object({ hash: z.string(), bytes: z.instanceof(Uint8Array) });
/** Bytes that one statement carries at most, about. */
const BATCH = 8 << 20;

/** Stores what is not there yet, by hash. What nobody uses is removed later, not within the hour. */
export async function storeBlobs(database: Database, blobs: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const existing = await database.rows(
    Hash,
    // Touched, so that nobody removes them before the run that needs them is there.
    "update blob set created_at = now() where hash = any($1::text[]) returning hash",
    [[...blobs.keys()]],
  );
  const there = new Set(existing.map(({ hash }) => hash));
  let batch: [string, Uint8Array][] = [];
  let size = 0;
  const store = async () => {
    await database.run(
      `insert into blob (hash, bytes) select * from unnest($1::text[], $2::bytea[])
       on conflict (hash) do update set created_at = now()`,
      [batch.map(([hash]) => hash), batch.map(([, bytes]) => bytes)],
    );
    [batch, size] = [[], 0];
  };
  for (const [hash, bytes] of blobs) {
    if (there.has(hash)) continue;
    batch.push([hash, bytes]);
    size += bytes.length;
    if (size > BATCH) await store();
  }
  if (batch.length > 0) await store();
}

/** Fetches files by their hashes, one at a time. Throws `not_found` for one that is not there. */
export async function fetchBlob(database: Database, hash: string): Promise<Uint8Array> {
  const [found] = await database.rows(Blob, "select hash, bytes from blob where hash = $1", [hash]);
  if (found) return found.bytes;
  throw new BackstepError("not_found", `Cannot fetch a file of the job: nothing is stored under ${hash}`);
}
