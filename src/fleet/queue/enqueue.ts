import { randomUUID } from "node:crypto";
import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import type { Queryable } from "../database/database.ts";
import { LIMITS } from "../schema/tables.ts";
import type { Fleet } from "./fleet.ts";
import { priorityOf, queueOf } from "./names.ts";
import { groupOf, makeQueues } from "./finish.ts";

/** A run that is to be queued. */
export interface NewRun {
  readonly id: string;
  /** The same key is queued once: whoever comes second is given the first one's run. */
  readonly key?: string | undefined;
  readonly name: string;
  readonly priority: number;
  /** What all of its jobs share, as JSON. */
  readonly options: unknown;
  readonly submittedBy: string;
  /** Milliseconds of a job's lease. */
  readonly lease: number;
  /** Hashes of the blobs that its jobs need, all stored already. */
  readonly blobs: readonly string[];
  /** What is told first, exactly once. */
  readonly events: readonly unknown[];
}

/** A job that is to be queued. */
export interface NewJob {
  /** A `TestFile`. */
  readonly test: unknown;
  /** What its run is given, without any secret. */
  readonly spec: unknown;
  /** Its files: path to hash. */
  readonly files: unknown;
  readonly labels: readonly string[];
  readonly locks: readonly string[];
  readonly durationKey: string;
  /** Milliseconds it took the last time. */
  readonly expected?: number | undefined;
  readonly retries: number;
  /** It never runs, and is over with this: it is skipped, or cannot be read. */
  readonly over?: {
    readonly state: "skipped" | "failed";
    readonly exit: number;
    readonly reason?: string | undefined;
    readonly result: unknown;
  } | undefined;
  readonly item?: string | undefined;
  readonly notBefore?: Date | undefined;
  readonly deadline?: Date | undefined;
}

/** What a submission came to. */
export interface Enqueued {
  readonly run: string;
  /** False: the key was there already, and this is its run. */
  readonly created: boolean;
}

/** How many jobs one statement carries. */
const BATCH = 500;

/** Queues a run with all of its jobs in one transaction, or finds the one that its key names. */
export async function enqueue(
  fleet: Fleet,
  run: NewRun,
  jobs: readonly NewJob[],
  also?: (tx: Queryable, ids: readonly string[]) => Promise<void>,
): Promise<Enqueued> {
  if (jobs.length > LIMITS.jobs) {
    throw new BackstepError("limit", `Cannot submit ${jobs.length} jobs: a run has at most ${LIMITS.jobs}`);
  }
  await makeQueues(fleet, jobs.filter(({ over }) => !over).map(({ labels }) => queueOf(labels)));
  return await fleet.database.transaction(async (tx) => {
    const made = await tx.run(
      `insert into run (id, key, name, priority, options, jobs, submitted_by)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (key) do nothing`,
      [
        run.id,
        run.key ?? null,
        run.name,
        run.priority,
        JSON.stringify(run.options),
        jobs.length,
        run.submittedBy,
      ],
    );
    if (made === 0) {
      const [found] = await tx.rows(z.object({ id: z.string() }), "select id from run where key = $1", [
        run.key,
      ]);
      if (found) return { run: found.id, created: false };
      throw new BackstepError("internal", "Cannot submit: the key is taken, and its run is not there");
    }
    await tx.run(
      "insert into blob_use (run, hash) select $1, hash from unnest($2::text[]) as hash on conflict do nothing",
      [run.id, run.blobs],
    );
    await tx.run(
      "insert into event (run, body) select $1, one.value from json_array_elements($2::json) as one",
      [run.id, JSON.stringify(run.events)],
    );
    const ids: string[] = [];
    for (let at = 0; at < jobs.length; at += BATCH) {
      ids.push(...await insertJobs(tx, fleet, run, jobs.slice(at, at + BATCH), at));
    }
    await also?.(tx, ids);
    return { run: run.id, created: true };
  });
}

async function insertJobs(
  tx: Queryable,
  { boss }: Fleet,
  run: NewRun,
  jobs: readonly NewJob[],
  from: number,
): Promise<string[]> {
  const rows = jobs.map((job, index) => ({
    id: randomUUID(),
    attempt: randomUUID(),
    number: from + index + 1,
    queue: queueOf(job.labels),
    job,
  }));
  await tx.run(
    `insert into job (id, run, number, test, spec, files, labels, locks, duration_key, expected_ms, retries, state,
       exit, reason, result, item, not_before, deadline, finished_at)
     select id, $1, number, test, spec, files,
       array(select json_array_elements_text(labels)), array(select json_array_elements_text(locks)),
       duration_key, expected_ms, retries, state, exit, reason, result, item, not_before, deadline,
       case when state = 'waiting' then null else now() end
     from json_to_recordset($2::json) as x(id uuid, number int, test json, spec json, files json, labels json,
       locks json, duration_key text, expected_ms int, retries int, state text, exit int, reason text, result json,
       item uuid, not_before timestamptz, deadline timestamptz)`,
    [
      run.id,
      JSON.stringify(rows.map(({ id, number, job }) => ({
        id,
        number,
        test: job.test,
        spec: job.spec,
        files: job.files,
        labels: job.labels,
        locks: job.locks,
        duration_key: job.durationKey,
        expected_ms: job.expected === undefined ? null : Math.round(job.expected),
        retries: job.retries,
        state: job.over?.state ?? "waiting",
        exit: job.over?.exit ?? null,
        reason: job.over?.reason ?? null,
        result: job.over?.result ?? null,
        item: job.item ?? null,
        not_before: job.notBefore?.toISOString() ?? null,
        deadline: job.deadline?.toISOString() ?? null,
      }))),
    ],
  );
  const waiting = rows.filter(({ job }) => !job.over);
  await tx.run(
    `insert into attempt (id, job, number, queue)
     select attempt, id, 1, queue from json_to_recordset($1::json) as x(attempt uuid, id uuid, queue text)`,
    [JSON.stringify(waiting.map(({ id, attempt, queue }) => ({ id, attempt, queue })))],
  );
  for (const queue of new Set(waiting.map((one) => one.queue))) {
    await boss.insert(
      queue,
      waiting.filter((one) => one.queue === queue).map(({ attempt, job }) => ({
        id: attempt,
        priority: priorityOf(run.priority, job.expected),
        heartbeatSeconds: run.lease / 1_000,
        ...(job.notBefore ? { startAfter: job.notBefore } : {}),
        ...(job.locks.length > 0 ? { group: { id: groupOf(job.locks) } } : {}),
      })),
      { db: tx.forQueue },
    );
  }
  return rows.map(({ id }) => id);
}
