import { Buffer } from "node:buffer";
import { z } from "zod";
import { type Database, patiently, type Queryable } from "../database/database.ts";
import type { Held } from "../queue/fleet.ts";
import { Big } from "../schema/tables.ts";
import { type Packing, packRun } from "./pack-run.ts";

/** The artefact that is a run's journal and evidence. */
const RUN = "run";
/** Milliseconds that a database which is not reached is waited for, each time. */
const PATIENCE = { within: 30_000 };
/** Pieces that one statement reads. */
const PAGE = 16;

/** What of an attempt is stored. */
export interface StoredRun {
  readonly artefact: string;
  readonly attempt: string;
  readonly size: number;
}

/**
 * Stores the journal and evidence of an attempt's run, piece by piece: never more than one of them is held. What a delivery
 * stored that was cut off is not complete, and nobody reads it.
 */
export async function storeRun(
  database: Database,
  { attempt, token }: Pick<Held, "attempt" | "token">,
  { state, run, keepUntil, ...packing }: Packing & {
    readonly state: string;
    readonly run: string;
    /** When it is removed; undefined: with its run. */
    readonly keepUntil: Date | undefined;
  },
): Promise<number> {
  const [made] = await patiently(() =>
    database.rows(
      z.object({ id: z.string() }),
      `insert into artefact (attempt, token, kind, name, keep_until) values ($1, $2, $3, $4, $5)
       on conflict (attempt, token, name) do update set complete = false returning id`,
      [attempt, token, RUN, run, keepUntil ?? null],
    ), PATIENCE);
  const id = made?.id;
  let size = 0;
  let number = 0;
  for await (const piece of packRun(state, run, packing)) {
    const values = [id, number++, Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)];
    await patiently(() =>
      database.run(
        `insert into artefact_piece (artefact, number, bytes) values ($1, $2, $3)
         on conflict (artefact, number) do update set bytes = excluded.bytes`,
        values,
      ), PATIENCE);
    size += piece.length;
  }
  await patiently(
    () => database.run("update artefact set size = $2, complete = true where id = $1", [id, size]),
    PATIENCE,
  );
  return size;
}

/** What is stored of the attempts of a run, by the ids of their runs on the workers. */
export async function storedRuns(database: Queryable, run: string): Promise<ReadonlyMap<string, StoredRun>> {
  const rows = await database.rows(
    z.object({ id: z.string(), attempt: z.string(), name: z.string(), size: Big }),
    `select artefact.id, artefact.attempt, artefact.name, artefact.size from artefact
     join attempt on attempt.id = artefact.attempt and attempt.token = artefact.token join job on job.id = attempt.job
     where job.run = $1 and artefact.kind = $2 and artefact.complete`,
    [run, RUN],
  );
  return new Map(rows.map(({ id, attempt, name, size }) => [name, { artefact: id, attempt, size }]));
}

/** The pieces of a stored run, in order. */
export async function* piecesOf(database: Queryable, artefact: string): AsyncGenerator<Uint8Array> {
  for (let from = 0;; from += PAGE) {
    const rows = await database.rows(
      z.object({ bytes: z.instanceof(Uint8Array) }),
      "select bytes from artefact_piece where artefact = $1 and number >= $2 and number < $3 order by number",
      [artefact, from, from + PAGE],
    );
    for (const { bytes } of rows) yield bytes;
    if (rows.length < PAGE) return;
  }
}
