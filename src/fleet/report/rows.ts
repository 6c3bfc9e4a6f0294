import { z } from "zod";
import { closest } from "../../base/closest.ts";
import { BackstepError } from "../../base/error.ts";
import type { TestEvent, TestFile, TestFileResult } from "../../report/reporter.ts";
import type { Queryable } from "../database/database.ts";
import { Big, Column, JobRow, RunRow } from "../schema/tables.ts";

/** Rows that one statement reads. */
const PAGE = 2_000;

const named = (value: unknown, key: string): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key);

/** As our own workers write them. */
const Reported = z.custom<TestEvent>((value) => named(value, "event"));
const FileResult = z.custom<TestFileResult>((value) => named(value, "tries") && named(value, "id"));
const File = z.custom<TestFile>((value) => named(value, "id") && named(value, "file"));

/** A job with what reports say of it. */
export interface ReportedJob {
  readonly row: JobRow;
  readonly test: TestFile;
  /** Undefined: it is not over, or never began. */
  readonly result: TestFileResult | undefined;
}

/** A try that counts: the last delivery of each attempt. */
const AttemptRow = z.object({
  id: z.string(),
  job: z.string(),
  token: z.number().nullable(),
  worker: z.string().nullable(),
  slot: z.number().nullable(),
  began_at: z.date().nullable(),
});
export type ReportedAttempt = z.infer<typeof AttemptRow>;

/** A run of a fleet. Throws `not_found`, naming the nearest. */
export async function fleetRun(database: Queryable, run: string): Promise<RunRow> {
  const [found] = await database.rows(
    RunRow,
    "select * from run where id = $1 or key = $1 order by id = $1 desc limit 1",
    [
      run,
    ],
  );
  if (found) return found;
  const runs = await database.rows(
    z.object({ id: z.string() }),
    "select id from run order by created_at desc limit 200",
  );
  const near = closest(run, runs.map(({ id }) => id));
  throw new BackstepError(
    "not_found",
    `Cannot find run ${JSON.stringify(run.slice(0, 80))}: the fleet has no such run`,
    {
      hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "See: backstep fleet runs",
    },
  );
}

/** The jobs of a run, in the order in which they were submitted. */
export async function jobsOf(database: Queryable, run: string): Promise<ReportedJob[]> {
  const jobs: ReportedJob[] = [];
  for (let after = 0;;) {
    const rows = await database.rows(
      JobRow,
      `select * from job where run = $1 and number > $2 order by number limit ${PAGE}`,
      [run, after],
    );
    for (const row of rows) {
      const result = FileResult.safeParse(row.result);
      jobs.push({ row, test: File.parse(row.test), result: result.success ? result.data : undefined });
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return jobs;
    after = last.number;
  }
}

/** The attempts of a run that began, in the order in which they did. */
export async function attemptsOf(database: Queryable, run: string): Promise<ReportedAttempt[]> {
  return await database.rows(
    AttemptRow,
    `select attempt.id, attempt.job, token, worker, slot, began_at from attempt join job on job.id = attempt.job
     where job.run = $1 and began_at is not null order by began_at, attempt.id`,
    [run],
  );
}

/**
 * What a run told so far, in order: of each attempt what its last delivery did, since what a worker did that lost its job is
 * no part of how the job ended.
 */
export async function* eventsOf(
  database: Queryable,
  run: string,
): AsyncGenerator<{ readonly attempt: string | null; readonly event: TestEvent }> {
  for (let after = 0;;) {
    const rows = await database.rows(
      z.object({ id: Big, attempt: z.string().nullable(), body: Column }),
      `select event.id, event.attempt, event.body from event left join attempt on attempt.id = event.attempt
       where event.run = $1 and event.id > $2 and (event.attempt is null or event.token = attempt.token)
       order by event.id limit ${PAGE}`,
      [run, after],
    );
    for (const { attempt, body } of rows) {
      const event = Reported.safeParse(body);
      if (event.success) yield { attempt, event: event.data };
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
  }
}
