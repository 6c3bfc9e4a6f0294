import { z } from "zod";
import type { Fleet } from "../queue/fleet.ts";
import { RunRow, WorkerRow } from "../schema/tables.ts";

const Counted = RunRow.extend({
  waiting: z.number(),
  running: z.number(),
  passed: z.number(),
  failed: z.number(),
  flaky: z.number(),
  skipped: z.number(),
  cancelled: z.number(),
  doubts: z.number(),
});
/** A run with how many of its jobs stand how. `doubts`: those whose exit code is 4. */
export type CountedRun = z.infer<typeof Counted>;

/** Seconds after which a worker that says nothing counts as lost. */
export const SILENT = 30;
const Seen = WorkerRow.extend({ busy: z.number(), silent: z.number() });
/** A worker with how many jobs it does, and for how many seconds it said nothing. */
export type SeenWorker = z.infer<typeof Seen>;

/** Runs with their counts, the newest first. */
export async function countedRuns(
  { database }: Fleet,
  options: { readonly run?: string; readonly limit: number },
): Promise<CountedRun[]> {
  const count = (state: string) => `(count(*) filter (where job.state = '${state}'))::int as ${state}`;
  const states = ["waiting", "running", "passed", "failed", "flaky", "skipped", "cancelled"];
  return await database.rows(
    Counted,
    `select run.*, counts.* from run, lateral (
       select ${states.map(count).join(", ")}, (count(*) filter (where job.exit = 4))::int as doubts
       from job where job.run = run.id) as counts
     where $1::text is null or run.id = $1 order by run.created_at desc limit $2`,
    [options.run ?? null, options.limit],
  );
}

/** Workers that did not end, and what they do. */
export async function liveWorkers({ database }: Fleet): Promise<SeenWorker[]> {
  return await database.rows(
    Seen,
    `select worker.*, (select count(*)::int from attempt where attempt.worker = worker.id and state = 'active') as busy,
       extract(epoch from now() - seen_at)::int as silent
     from worker where state <> 'ended' order by name, started_at`,
  );
}

const Stuck = z.object({ labels: z.array(z.string()), n: z.number() });

/** The labels of jobs that wait although no worker that is there has all of them, with how many jobs those are. */
export async function stuckLabels(
  { database }: Fleet,
  run: string,
): Promise<readonly { readonly labels: readonly string[]; readonly n: number }[]> {
  return await database.rows(
    Stuck,
    `select labels, count(*)::int as n from job where run = $1 and state = 'waiting'
       and not exists (select 1 from worker where state = 'active' and job.labels <@ worker.labels
         and seen_at > now() - make_interval(secs => ${SILENT}))
     group by labels order by n desc limit 10`,
    [run],
  );
}

/** Tells workers to take no more and to end when what they do is done; by name, all where none is given. */
export async function drainWorkers({ database }: Fleet, names: readonly string[]): Promise<string[]> {
  const drained = await database.rows(
    z.object({ id: z.string(), name: z.string() }),
    `with drained as (
       update worker set state = 'draining' where state = 'active' and ($1::text[] = '{}' or name = any($1::text[]))
       returning id, name)
     select id, name from drained`,
    [names],
  );
  return drained.map(({ name }) => name);
}
