import { z } from "zod";
import type { Database } from "../../src/fleet/database/database.ts";
import { ACTIONS } from "./world.ts";

const Job = z.object({
  key: z.string(),
  state: z.string(),
  exit: z.number().nullable(),
  error: z.string().nullable(),
  deliveries: z.number(),
});
const Claimed = z.object({
  key: z.string(),
  path: z.string(),
  outcome: z.string().nullable(),
  state: z.string(),
  exit: z.number().nullable(),
});

/** What the world's own log and the tables say together. */
export interface Verdict {
  readonly jobs: number;
  readonly passed: number;
  /** In doubt, each with an error that says why. */
  readonly doubts: number;
  readonly unnamed: readonly string[];
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /** Jobs that passed, and did not do all of it, or ended otherwise than passed or in doubt. */
  readonly wrong: readonly string[];
  /** Claims after which their worker died: before the action, and after it. */
  readonly between: number;
  readonly after: number;
  readonly redelivered: number;
}

/** Judges a run by the lines that its actions wrote into the world. */
export async function judge(database: Database, run: string, lines: readonly string[]): Promise<Verdict> {
  const jobs = await database.rows(
    Job,
    `select duration_key as key, job.state, exit, result->'error'->>'message' as error,
       (select coalesce(sum(deliveries), 0)::int from attempt where attempt.job = job.id) as deliveries
     from job where run = $1`,
    [run],
  );
  const claims = await database.rows(
    Claimed,
    `select job.duration_key as key, claim.path, claim.outcome, job.state, job.exit
     from claim join attempt on attempt.id = claim.attempt join job on job.id = attempt.job where job.run = $1`,
    [run],
  );
  const times = new Map<string, number>();
  for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
  const did = (key: string, action: string) => times.get(`${key} ${action}`) ?? 0;
  const over = jobs.filter(({ state }) => state !== "waiting" && state !== "running");
  const wrong = over.flatMap(({ key, state, exit, error }) => {
    if (exit === 4) return [];
    if (state !== "passed") return [`job ${key}: ${state}, exit ${exit}: ${error}`];
    const missing = [...ACTIONS.values()].filter((action) => did(key, action) === 0);
    return missing.length === 0 ? [] : [`job ${key} passed without ${missing.join(", ")}`];
  });
  const open = claims.filter(({ outcome }) => outcome === null);
  const landed = open.filter(({ key, path }) => did(key, ACTIONS.get(path) ?? "") > 0).length;
  return {
    jobs: jobs.length,
    passed: over.filter(({ state }) => state === "passed").length,
    doubts: over.filter(({ exit }) => exit === 4).length,
    unnamed: over.filter(({ exit, error }) => exit === 4 && !error).map(({ key }) => key),
    lost: jobs.filter((one) => !over.includes(one)).map(({ key }) => key),
    doubled: [...times].filter(([, n]) => n > 1).map(([line, n]) => `${line}: ${n} times`),
    wrong,
    between: open.length - landed,
    after: landed,
    redelivered: jobs.filter(({ deliveries }) => deliveries > 1).length,
  };
}
