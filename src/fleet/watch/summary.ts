import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import type { TestFileResult, TestSummary } from "../../report/reporter.ts";
import { countsOf, exitOf } from "../../testing/judge.ts";
import { RunOptionsRow } from "../jobs/spec.ts";
import type { Fleet } from "../queue/fleet.ts";
import { type RunRow, RunRow as Run } from "../schema/tables.ts";

const Finished = z.object({
  result: z.custom<TestFileResult>((value) => typeof value === "object" && value !== null),
});

/** Finds a run by its id, the newest without one. Throws `not_found`. */
export async function findRun({ database }: Fleet, id: string | undefined): Promise<RunRow> {
  const [found] = id === undefined
    ? await database.rows(Run, "select * from run order by created_at desc limit 1")
    : await database.rows(Run, "select * from run where id = $1 or key = $1 order by id = $1 desc limit 1", [
      id,
    ]);
  if (found) return found;
  const why = id === undefined
    ? "nothing was submitted"
    : `there is no run ${JSON.stringify(id.slice(0, 60))}`;
  throw new BackstepError("not_found", `Cannot find the run: ${why}`, {
    hint: "See: backstep fleet report --all",
  });
}

/** What came of a run, as `backstep test` sums it up: of the jobs that are over. */
export async function summaryOf({ database }: Fleet, run: RunRow): Promise<TestSummary> {
  const rows = await database.rows(Finished, "select result from job where run = $1 and result is not null", [
    run.id,
  ]);
  const files = rows.map(({ result }) => result).sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  const [workers] = await database.rows(
    z.object({ n: z.number() }),
    `select count(distinct (attempt.worker, attempt.slot))::int as n
     from attempt join job on job.id = attempt.job where job.run = $1 and attempt.worker is not null`,
    [run.id],
  );
  const { failOnFlaky } = RunOptionsRow.parse(run.options);
  const interrupted = run.state === "cancelled";
  return {
    files,
    counts: countsOf(files),
    duration_ms: (run.finished_at ?? new Date()).getTime() - run.created_at.getTime(),
    began: run.created_at.getTime(),
    workers: Math.max(1, workers?.n ?? 1),
    exit: exitOf(files, { interrupted, timedOut: false, failOnFlaky }),
    interrupted,
  };
}
