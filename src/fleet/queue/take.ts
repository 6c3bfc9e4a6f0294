import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import type { Queryable } from "../database/database.ts";
import { JobRow } from "../schema/tables.ts";
import { queueNames, queueSchema } from "./boss.ts";
import type { Fleet, Held } from "./fleet.ts";
import { servedBy } from "./names.ts";

/** Who takes. */
export interface Taker {
  /** The worker's life. */
  readonly worker: string;
  /** Which of its desktops, from 1. */
  readonly slot: number;
  readonly labels: readonly string[];
}

/** An attempt that was taken, with its job. */
export interface Taken extends Held {
  readonly job: JobRow;
  /** Of the job, from 1. */
  readonly number: number;
  /** Milliseconds of the lease. */
  readonly lease: number;
  readonly worker: string;
  readonly slot: number;
}

/** Jobs whose locks are held that are passed over before a look ends. */
const MOST_PASSED = 50;

/** Rolls back what a look did, when it cannot have the job's locks. */
class Busy extends Error {
  readonly group: string;
  constructor(group: string) {
    super("its locks are held");
    this.group = group;
  }
}

/**
 * Takes the job that is first among those that this worker can do: of the highest priority, in all queues whose labels it
 * has, and whose locks nobody holds. Undefined: there is none now. In one transaction it is the worker's in pg-boss, in
 * our table, and its locks are.
 */
export async function take(fleet: Fleet, taker: Taker): Promise<Taken | undefined> {
  const passed = new Set<string>();
  while (passed.size <= MOST_PASSED) {
    const queue = await firstQueue(fleet, taker.labels, [...passed]);
    if (queue === undefined) return undefined;
    try {
      return await fleet.database.transaction((tx) => takeFrom(queue, [...passed], tx, fleet, taker));
    } catch (thrown) {
      const busy = thrown instanceof BackstepError ? thrown.cause : thrown;
      if (!(busy instanceof Busy)) throw thrown;
      passed.add(busy.group);
    }
  }
  return undefined;
}

/** The queue whose first job comes before those of the others. */
async function firstQueue(
  { database, boss }: Fleet,
  labels: readonly string[],
  passed: readonly string[],
): Promise<string | undefined> {
  const queues = servedBy(await queueNames(boss), labels);
  const [only] = queues;
  if (queues.length <= 1) return only;
  const schema = queueSchema(database);
  const [first] = await database.rows(
    z.object({ name: z.string() }),
    `select q.name from unnest($1::text[]) as q(name), lateral (
       select j.priority, j.created_on from ${schema}.job j
       where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
         and (j.group_id is null or j.group_id <> all($2::text[]))
       order by j.priority desc, j.created_on limit 1) as head
     order by head.priority desc, head.created_on limit 1`,
    [queues, passed],
  );
  return first?.name;
}

async function takeFrom(
  queue: string,
  passed: readonly string[],
  tx: Queryable,
  { boss, database }: Fleet,
  { worker, slot }: Taker,
): Promise<Taken | undefined> {
  const [found] = await boss.fetch(queue, {
    db: tx.forQueue,
    ...(passed.length > 0 ? { ignoreGroups: [...passed] } : {}),
  });
  if (!found) return undefined;
  const { id: attempt, retryCount: token, heartbeatSeconds, groupId } = found;
  const [own] = await tx.rows(
    JobRow.extend({ attempt_number: z.number() }),
    `with mine as (
       update attempt set state = 'active', token = $2, worker = $3, slot = $4, deliveries = deliveries + 1,
         began_at = coalesce(began_at, clock_timestamp())
       where id = $1 returning job, number),
     begun as (
       update job set state = 'running', started_at = coalesce(started_at, clock_timestamp())
       from mine where job.id = mine.job)
     select job.*, mine.number as attempt_number from job, mine where job.id = mine.job`,
    [attempt, token, worker, slot],
  );
  if (!own) throw new BackstepError("internal", `Cannot take the job ${attempt}: it is in no run`);
  const { attempt_number: number, ...job } = own;
  if (job.locks.length > 0) {
    await dropLost(tx, queueSchema(database));
    const got = await tx.run(
      "insert into lock (name, attempt, token) select name, $2, $3 from unnest($1::text[]) as name on conflict do nothing",
      // In one order everywhere, so that two workers do not wait for each other.
      [[...job.locks].sort(), attempt, token],
    );
    if (got < job.locks.length) throw new Busy(groupId ?? "");
  }
  return { attempt, queue, token, job, number, lease: (heartbeatSeconds ?? 0) * 1_000, worker, slot };
}

/** Lets go of what deliveries hold that are over, or somebody else's by now. */
async function dropLost(tx: Queryable, schema: string): Promise<void> {
  await tx.run(
    `delete from lock where not exists (
       select 1 from attempt join ${schema}.job j on j.id = attempt.id and j.name = attempt.queue
       where attempt.id = lock.attempt and j.state = 'active' and j.retry_count = lock.token)`,
  );
}
