import { z } from "zod";
import type { TestFileResult } from "../report/reporter.ts";
import { notify } from "./database/listen.ts";
import { JOBS_ADDED } from "./channels.ts";
import { queueSchema, REDELIVERIES } from "./queue/boss.ts";
import { finishRun } from "./queue/finish.ts";
import type { Fleet } from "./queue/fleet.ts";
import { urgent } from "./queue/names.ts";
import { ClaimRow } from "./schema/tables.ts";

/** Days that what became of a finished run is kept. */
export const KEPT_DAYS = 30;

const Lost = z.object({
  attempt: z.string(),
  job: z.string(),
  run: z.string(),
  test: z.custom<Pick<TestFileResult, "id" | "file" | "name" | "tags">>((value) => typeof value === "object"),
});

/** Has pg-boss look for leases that ran out, and has what it finds taken at once. What every worker does at each poll. */
export async function redeliver(fleet: Fleet): Promise<void> {
  await fleet.boss.supervise();
  if (await hurryLost(fleet)) await notify(fleet.database, JOBS_ADDED);
}

/**
 * Ends what nobody else can: jobs whose workers died with them as often as is allowed, and runs whose last job is over. In
 * doubt is what such a job had claimed.
 */
export async function sweep(fleet: Fleet): Promise<void> {
  const { database } = fleet;
  const schema = queueSchema(database);
  const lost = await database.rows(
    Lost,
    `select attempt.id as attempt, job.id as job, job.run, job.test
     from attempt join job on job.id = attempt.job
     where attempt.state = 'active' and job.state in ('waiting', 'running')
       and exists (select 1 from ${schema}.job j where j.id = attempt.id and j.name = attempt.queue
         and j.state = 'failed')
     limit 100`,
  );
  for (const one of lost) await endLost(fleet, one);
  const over = await database.rows(
    z.object({ id: z.string() }),
    `select id from run where state = 'open' and not exists (
       select 1 from job where job.run = run.id and job.state in ('waiting', 'running'))`,
  );
  for (const { id } of over) await finishRun(fleet, id);
}

const Waiting = z.object({
  id: z.string(),
  queue: z.string(),
  priority: z.number(),
  run_priority: z.number(),
});

/** Has what its worker lost taken first: pg-boss would put it behind what waits already. Answers whether there was any. */
async function hurryLost({ database, boss }: Fleet): Promise<boolean> {
  const waiting = await database.rows(
    Waiting,
    `select attempt.id, attempt.queue, j.priority, run.priority as run_priority
     from attempt join job on job.id = attempt.job join run on run.id = job.run
       join ${queueSchema(database)}.job j on j.id = attempt.id and j.name = attempt.queue
     where attempt.state = 'active' and j.state = 'retry' limit 100`,
  );
  for (const { id, queue, priority, run_priority: run } of waiting) {
    if (priority < urgent(run)) await boss.update(queue, undefined, { id, priority: urgent(run) });
  }
  return waiting.length > 0;
}

async function endLost(
  { database }: Fleet,
  { attempt, job, run, test }: z.infer<typeof Lost>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const claims = await tx.rows(
      ClaimRow,
      "select * from claim where attempt = $1 and outcome is distinct from 'not_done' order by at",
      [attempt],
    );
    const named = claims.slice(0, 20).map(({ step, path }) => `${step} at step ${path}`);
    const result: TestFileResult = {
      ...test,
      status: "failed",
      exit: claims.length > 0 ? 4 : 1,
      duration_ms: 0,
      tries: [],
      error: {
        code: claims.length > 0 ? "claimed" : "timeout",
        message: `Cannot run ${test.file}: its worker died or was not reached ${REDELIVERIES + 1} times${
          named.length === 0 ? "" : `; in doubt: ${named.join("; ")}`
        }`,
        hint: "See the workers' own logs: something in it may end them.",
      },
    };
    const changed = await tx.run(
      `update job set state = 'failed', exit = $2, result = $3, finished_at = now()
       where id = $1 and state in ('waiting', 'running')`,
      [job, result.exit, JSON.stringify(result)],
    );
    if (changed === 0) return;
    await tx.run("update item set reason = $2 where job = $1", [job, result.error?.message ?? null]);
    await tx.run("update attempt set state = 'lost', finished_at = now() where id = $1", [attempt]);
    await tx.run("delete from lock where attempt = $1", [attempt]);
    await tx.run("insert into event (run, job, attempt, body) values ($1, $2, $3, $4)", [
      run,
      job,
      attempt,
      JSON.stringify({ event: "file-finished", result }),
    ]);
  });
}

/** Removes old runs, what nobody needs of the stored files, and old workers. A little at a time. */
export async function tidy({ database }: Fleet): Promise<void> {
  await database.run(
    `delete from run where id in (
       select id from run where state <> 'open' and finished_at < now() - make_interval(days => $1) limit 20)`,
    [KEPT_DAYS],
  );
  await database.run("delete from artefact where keep_until < now()");
  await database.run(
    `delete from blob where hash in (
       select hash from blob where created_at < now() - interval '1 hour'
         and not exists (select 1 from blob_use where blob_use.hash = blob.hash) limit 200)`,
  );
  await database.run(
    "delete from worker where state = 'ended' and finished_at < now() - make_interval(days => $1)",
    [KEPT_DAYS],
  );
}
