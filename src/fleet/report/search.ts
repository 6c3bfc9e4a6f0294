import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Queryable } from "../database/database.ts";
import { JOB_STATES, RUN_STATES } from "../schema/tables.ts";

/** Files of one run that a search names. */
const MOST_FILES = 50;

/** What runs are searched by; what is not said fits all. */
export interface RunSearch {
  /** A file of it ended with one of these. */
  readonly verdicts?: readonly string[] | undefined;
  /** A file of it is in one of these states. */
  readonly states?: readonly string[] | undefined;
  /** Part of a file's path, its case or its project. */
  readonly file?: string | undefined;
  readonly since?: Date | undefined;
  /** Runs at most, the newest. */
  readonly most: number;
}

/** A run that a search found. */
export interface FoundRun {
  readonly run: string;
  readonly name: string;
  readonly state: typeof RUN_STATES[number];
  readonly created: string;
  readonly finished: string | null;
  readonly by: string;
  /** How many of its files are in each state. */
  readonly files: Readonly<Record<string, number>>;
  /** How many of them ended with each verdict. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** The files that the search is about; absent: it is about all. */
  readonly matches?: readonly FoundFile[];
}

/** A file of a run that a search is about. */
export interface FoundFile {
  readonly file: string;
  readonly state: typeof JOB_STATES[number];
  readonly verdict: string | null;
  readonly exit: number | null;
}

const Row = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(RUN_STATES),
  created_at: z.date(),
  finished_at: z.date().nullable(),
  submitted_by: z.string(),
  files: z.record(z.string(), z.number()).nullable(),
  verdicts: z.record(z.string(), z.number()).nullable(),
  matches: z.array(
    z.object({
      test: z.object({ id: z.string() }),
      state: z.enum(JOB_STATES),
      verdict: z.string().nullable(),
      exit: z.number().nullable(),
    }),
  ).nullable(),
});

/** The newest runs that fit. */
export async function searchRuns(database: Queryable, search: RunSearch): Promise<FoundRun[]> {
  const { verdicts, states, file, since, most } = search;
  const about = verdicts !== undefined || states !== undefined || file !== undefined;
  const rows = await database.rows(
    Row,
    `with fitting as (
       select job.run, job.number, job.test, job.state, job.verdict, job.exit from job
       where ($1::text[] is null or job.verdict = any($1)) and ($2::text[] is null or job.state = any($2))
         and ($3::text is null or position(lower($3) in lower(job.duration_key)) > 0)),
     chosen as (
       select run.* from run where ($4::timestamptz is null or run.created_at >= $4)
         and (not $5 or exists (select 1 from fitting where fitting.run = run.id))
       order by run.created_at desc limit $6)
     select chosen.id, chosen.name, chosen.state, chosen.created_at, chosen.finished_at, chosen.submitted_by,
       (select json_object_agg(state, n) from (
         select job.state, count(*)::int as n from job where job.run = chosen.id group by job.state) as by_state) as files,
       (select json_object_agg(verdict, n) from (
         select job.verdict, count(*)::int as n from job
         where job.run = chosen.id and job.verdict is not null group by job.verdict) as by_verdict) as verdicts,
       case when $5 then (select json_agg(one) from (
         select test, state, verdict, exit from fitting where fitting.run = chosen.id
         order by number limit ${MOST_FILES}) as one) end as matches
     from chosen order by chosen.created_at desc`,
    [verdicts ?? null, states ?? null, file ?? null, since ?? null, about, most],
  );
  return rows.map((row) => ({
    run: row.id,
    name: row.name,
    state: row.state,
    created: row.created_at.toISOString(),
    finished: row.finished_at?.toISOString() ?? null,
    by: row.submitted_by,
    files: row.files ?? {},
    verdicts: row.verdicts ?? {},
    ...defined({ matches: row.matches?.map(({ test, ...rest }) => ({ file: test.id, ...rest })) }),
  }));
}

/** Words that a person writes, each one of some. Throws `usage`. */
export function wordsOf(
  option: string,
  text: string | undefined,
  existing: readonly string[],
): string[] | undefined {
  if (text === undefined) return undefined;
  const words = text.split(",").map((word) => word.trim()).filter((word) => word !== "");
  const strange = words.find((word) => !existing.includes(word));
  if (strange === undefined && words.length > 0) return words;
  throw new BackstepError(
    "usage",
    `Cannot search with --${option} ${text}: there is no ${JSON.stringify(strange ?? "")}`,
    {
      hint: `Possible, separated by commas: ${existing.join(", ")}.`,
    },
  );
}
