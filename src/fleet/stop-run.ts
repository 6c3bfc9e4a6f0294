import { z } from "zod";
import { notify } from "./database/listen.ts";
import type { Queryable } from "./database/database.ts";
import { queueSchema } from "./queue/boss.ts";
import type { Fleet } from "./queue/fleet.ts";
import { finishRun } from "./queue/finish.ts";
import { RUN_CHANGED } from "./channels.ts";

const Waiting = z.object({ attempt: z.string(), queue: z.string(), job: z.string(), test: z.unknown() });

/** After so many failed jobs what has not begun of a run is left; undefined: nothing is. */
export async function stopAfterFailures(
  fleet: Fleet,
  run: string,
  maxFailures: number | undefined,
): Promise<void> {
  if (maxFailures === undefined) return;
  const [found] = await fleet.database.rows(
    z.object({ n: z.number() }),
    "select count(*)::int as n from job where run = $1 and state = 'failed'",
    [run],
  );
  if ((found?.n ?? 0) < maxFailures) return;
  await leaveWaiting(fleet, run, "not run: as many failures as allowed");
  await finishRun(fleet, run);
}

/** Ends what of a run has not begun, as skipped for a reason. Answers how many jobs that were. */
export async function leaveWaiting(fleet: Fleet, run: string, reason: string): Promise<number> {
  return await fleet.database.transaction((tx) => leave(tx, fleet, run, reason));
}

async function leave(tx: Queryable, { boss, database }: Fleet, run: string, reason: string): Promise<number> {
  const schema = queueSchema(database);
  // One that a worker takes right now is locked by that, and passed over: it has begun.
  const waiting = await tx.rows(
    Waiting,
    `select attempt.id as attempt, attempt.queue, job.id as job, job.test
     from job join attempt on attempt.job = job.id
       join ${schema}.job j on j.id = attempt.id and j.name = attempt.queue
     where job.run = $1 and job.state = 'waiting' and attempt.state = 'queued' and j.state = 'created'
     for update of j skip locked`,
    [run],
  );
  for (const queue of new Set(waiting.map((one) => one.queue))) {
    await boss.cancel(queue, waiting.filter((one) => one.queue === queue).map(({ attempt }) => attempt), {
      db: tx.forQueue,
    });
  }
  const results = waiting.map(({ job, attempt, test }) => ({
    job,
    attempt,
    result: {
      ...(typeof test === "object" ? test : {}),
      status: "skipped",
      exit: 0,
      duration_ms: 0,
      tries: [],
      reason,
    },
  }));
  await tx.run(
    `with left_ones as (
       select * from json_to_recordset($1::json) as x(job uuid, attempt uuid, result json)),
     attempts as (
       update attempt set state = 'cancelled', finished_at = now() from left_ones where attempt.id = left_ones.attempt),
     told as (
       insert into event (run, job, body)
       select $2, job, json_build_object('event', 'file-finished', 'result', result) from left_ones)
     update job set state = 'skipped', exit = 0, reason = $3, result = left_ones.result, finished_at = now()
     from left_ones where job.id = left_ones.job`,
    [JSON.stringify(results), run, reason],
  );
  return waiting.length;
}

/** What cancelling a run came to. */
export interface Cancelled {
  /** Jobs that had not begun. */
  readonly left: number;
  /** Jobs that run, and are told to stop and to roll back. */
  readonly running: number;
}

/** Cancels a run: what has not begun is left, what runs is stopped and rolled back by its worker. */
export async function cancelRun(fleet: Fleet, run: string): Promise<Cancelled> {
  const { database } = fleet;
  await database.run(
    "update run set state = 'cancelled', finished_at = now() where id = $1 and state = 'open'",
    [run],
  );
  const left = await leaveWaiting(fleet, run, "not run: the run was cancelled");
  const [found] = await database.rows(
    z.object({ n: z.number() }),
    "select count(*)::int as n from job where run = $1 and state = 'running'",
    [run],
  );
  await notify(database, RUN_CHANGED, run);
  return { left, running: found?.n ?? 0 };
}
