import { randomUUID } from "node:crypto";
import { type Patience, patiently, type Queryable } from "../database/database.ts";
import type { JobRow } from "../schema/tables.ts";
import { makeQueue } from "./boss.ts";
import { bossJob, type Fleet, type Held, reached } from "./fleet.ts";
import { priorityOf } from "./names.ts";

/** What came of an attempt. */
export interface Outcome {
  readonly state: "passed" | "failed" | "cancelled" | "lost";
  /** A `TestTryResult`. */
  readonly result: unknown;
  /** What comes of the job; undefined: it is tried once more. */
  readonly job:
    | {
      readonly state: "passed" | "failed" | "flaky" | "skipped" | "cancelled";
      readonly exit: number;
      readonly reason?: string | undefined;
      /** A `TestFileResult`. */
      readonly result: unknown;
    }
    | undefined;
  /** Milliseconds that it took, where that says something about the next time. */
  readonly duration?: number | undefined;
  /** Events that are told with it, exactly once. */
  readonly events: readonly unknown[];
  /** Done in the same transaction: what else depends on it. */
  readonly also?: ((tx: Queryable) => Promise<void>) | undefined;
}

/**
 * Ends a delivery in one transaction: pg-boss's job, the attempt, the job, its locks, its duration, its last events, and
 * its next try. False: the job is not this worker's any more, and nothing was written. Tried again while the database is
 * not reached; what got there already is seen.
 */
export async function finishAttempt(
  fleet: Fleet,
  held: Held,
  job: JobRow,
  outcome: Outcome,
  options: { readonly priority: number; readonly lease: number; readonly patience: Patience },
): Promise<boolean> {
  return await patiently(async () => {
    const done = await fleet.database.transaction(async (tx) => {
      // Deleted, not completed: what came of it stands in our tables, and a long history slows no queue.
      if (!reached(await fleet.boss.deleteJob(held.queue, bossJob(held), { db: tx.forQueue }))) {
        return false;
      }
      await write(tx, fleet, held, job, outcome, options);
      return true;
    });
    return done || await isFinished(fleet, held);
  }, options.patience);
}

/** Was it this delivery that ended the attempt? Its answer may have been lost. */
async function isFinished({ database }: Fleet, { attempt, token }: Held): Promise<boolean> {
  return await database.run(
    "select 1 from attempt where id = $1 and token = $2 and state not in ('queued', 'active')",
    [attempt, token],
  ) > 0;
}

async function write(
  tx: Queryable,
  fleet: Fleet,
  held: Held,
  job: JobRow,
  { state, result, job: end, duration, events, also }: Outcome,
  { priority, lease }: { readonly priority: number; readonly lease: number },
): Promise<void> {
  const { attempt, token } = held;
  await tx.run(
    `with over as (
       update attempt set state = $2, result = $3::json, finished_at = clock_timestamp() where id = $1),
     reported as (
       insert into event (run, job, attempt, token, body)
       select $4::text, $5::uuid, $1::uuid, $6::int, one.value from json_array_elements($7::json) as one),
     took as (
       insert into duration (key, duration_ms, status) select $8::text, $9::int, $10::text where $9::int is not null
       on conflict (key) do update set duration_ms = excluded.duration_ms, status = excluded.status,
         updated_at = now()),
     unlocked as (delete from lock where attempt = $1)
     update job set state = $11::text, exit = $12::int, reason = $13, result = $14::json,
       finished_at = case when $11::text = 'waiting' then null else clock_timestamp() end
     where id = $5`,
    [
      attempt,
      state,
      JSON.stringify(result),
      job.run,
      job.id,
      token,
      JSON.stringify(events),
      job.duration_key,
      duration === undefined ? null : Math.round(duration),
      end?.state === "flaky" ? "flaky" : state === "passed" ? "passed" : "failed",
      end?.state ?? "waiting",
      end?.exit ?? null,
      end?.reason ?? null,
      end === undefined ? null : JSON.stringify(end.result),
    ],
  );
  if (!end) await again(tx, fleet, held, job, priority, lease);
  await also?.(tx);
}

/** The next try, behind all others. */
async function again(
  tx: Queryable,
  { boss }: Fleet,
  { attempt, queue }: Held,
  { id, locks }: JobRow,
  priority: number,
  lease: number,
): Promise<void> {
  const next = randomUUID();
  await tx.run(
    "insert into attempt (id, job, number, queue) select $1, $2, number + 1, queue from attempt where id = $3",
    [next, id, attempt],
  );
  await boss.insert(queue, [{
    id: next,
    priority: priorityOf(priority, undefined, true),
    heartbeatSeconds: lease / 1_000,
    ...(locks.length > 0 ? { group: { id: groupOf(locks) } } : {}),
  }], { db: tx.forQueue });
}

/** What pg-boss knows of a job's locks: those that share all of them are passed over together. */
export function groupOf(locks: readonly string[]): string {
  return JSON.stringify([...locks].sort());
}

/** Gives a delivery back at once, to whoever takes it next: this worker cannot do it. */
export async function giveBack({ boss }: Fleet, held: Held, why: string): Promise<boolean> {
  return reached(await boss.fail(held.queue, bossJob(held), { message: why }));
}

/** Ends a run where none of its jobs is to be done any more: whoever ends the last of them looks after that. */
export async function finishRun({ database }: Fleet, run: string): Promise<boolean> {
  return await database.run(
    `update run set state = 'finished', finished_at = now() where id = $1 and state = 'open'
     and not exists (select 1 from job where job.run = run.id and job.state in ('waiting', 'running'))`,
    [run],
  ) > 0;
}

/** Makes the queues of some jobs, once each. */
export async function makeQueues({ boss }: Fleet, names: Iterable<string>): Promise<void> {
  const there = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const name of new Set(names)) if (!there.has(name)) await makeQueue(boss, name);
}
