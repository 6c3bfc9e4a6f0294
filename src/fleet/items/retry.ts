import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import type { TestEvent, TestFile } from "../../report/reporter.ts";
import { JOBS_ADDED } from "../channels.ts";
import type { Queryable } from "../database/database.ts";
import { notify } from "../database/listen.ts";
import { enqueue, type NewRun } from "../queue/enqueue.ts";
import type { Fleet } from "../queue/fleet.ts";
import { JobRow } from "../schema/tables.ts";
import { type ItemFilter, itemList, type ItemState } from "./rows.ts";

/** What can be done again: what is over, and did not do what it was for. */
const AGAIN: readonly ItemState[] = ["failed", "rejected", "cancelled"];

/** A job to be done again, with the item that it is for. */
const Row = JobRow.extend({ item: z.string() });

const File = z.custom<TestFile>((value) => typeof value === "object" && value !== null && "id" in value);

/** What came of it. */
export interface Retried {
  readonly list: string;
  /** Absent: there is nothing to be done again. */
  readonly run?: string;
  readonly retried: number;
}

/**
 * Queues items once more, with the files that their last run was submitted with: those that failed, or those of other states
 * where that is asked for. A deadline that is over counts no more. Throws `usage`, `not_found`.
 */
export async function retryItems(
  fleet: Fleet,
  run: Omit<NewRun, "blobs" | "events">,
  list: string,
  { states = ["failed"], names }: ItemFilter,
  now: Date = new Date(),
): Promise<Retried> {
  await itemList(fleet.database, list);
  const wrong = states.find((state) => !AGAIN.includes(state));
  if (wrong !== undefined) {
    throw new BackstepError("usage", `Cannot retry items that are ${wrong.replace("_", " ")}`, {
      hint: `Possible: ${AGAIN.join(", ")}.`,
    });
  }
  const rows = await fleet.database.rows(
    Row,
    `select job.* from item join job on job.id = item.job
     where item.list = $1 and item.state = any($2) and ($3::text[] is null or item.number::text = any($3) or item.key = any($3))
     order by item.number`,
    [list, states, names ?? null],
  );
  if (rows.length === 0) return { list, retried: 0 };
  const used = await fleet.database.rows(
    z.object({ hash: z.string() }),
    "select distinct hash from blob_use where run = any($1)",
    [[...new Set(rows.map((one) => one.run))]],
  );
  const jobs = rows.map((one) => ({
    test: one.test,
    spec: one.spec,
    files: one.files,
    labels: one.labels,
    locks: one.locks,
    durationKey: one.duration_key,
    expected: one.expected_ms ?? undefined,
    retries: one.retries,
    item: one.item,
    deadline: one.deadline && one.deadline > now ? one.deadline : undefined,
  }));
  const files = rows.flatMap(({ test }) => File.safeParse(test).data ?? []);
  const events: TestEvent[] = [{ event: "tests-started", files, workers: 0, at: now.getTime() }];
  const made = await enqueue(
    fleet,
    { ...run, blobs: used.map(({ hash }) => hash), events },
    jobs,
    (tx, ids) => handOver(tx, run.id, list, rows, ids),
  );
  await notify(fleet.database, JOBS_ADDED);
  return { list, run: made.run, retried: rows.length };
}

/** From here on the items are those of their new jobs. Throws where somebody else was faster. */
async function handOver(
  tx: Queryable,
  run: string,
  list: string,
  rows: readonly z.infer<typeof Row>[],
  ids: readonly string[],
): Promise<void> {
  const moved = await tx.run(
    `update item set job = x.new, run = $1, state = 'new', reason = null, verdict = null, result = null,
       not_before = null, started_at = null, finished_at = null
     from json_to_recordset($2::json) as x(id uuid, old uuid, new uuid) where item.id = x.id and item.job = x.old`,
    [run, JSON.stringify(rows.map((row, index) => ({ id: row.item, old: row.id, new: ids[index] })))],
  );
  if (moved === rows.length) return;
  throw new BackstepError("invalid", `Cannot retry items of ${list}: somebody else retries them`, {
    hint: `See: backstep fleet items show ${list}`,
  });
}
