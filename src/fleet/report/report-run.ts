import { join } from "node:path";
import { toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type {
  Reporter,
  TestFileResult,
  TestStatus,
  TestSummary,
  TestTry,
  TestTryResult,
} from "../../report/reporter.ts";
import { countsOf, exitOf } from "../../testing/judge.ts";
import { divergenceOf } from "../../testing/results.ts";
import type { Database } from "../database/database.ts";
import type { FleetKey } from "../evidence/fleet-key.ts";
import { piecesOf, type StoredRun, storedRuns } from "../evidence/store.ts";
import { unpackRun } from "../evidence/unpack-run.ts";
import type { RunRow } from "../schema/tables.ts";
import { attemptsOf, eventsOf, fleetRun, jobsOf, type ReportedAttempt, type ReportedJob } from "./rows.ts";

/** Bytes of evidence that are fetched for one report; those of what failed come first. */
const MOST_BYTES = 2 * 1024 ** 3;

/** How a run is reported. */
export interface FleetReportOptions {
  /** The run's id, or the key that it was submitted with. */
  readonly run: string;
  readonly reporter: Reporter;
  /** The state folder that its journals and evidence are put into. */
  readonly state: string;
  readonly key: FleetKey | undefined;
  /** A flaky file counts as a failure; default: as it was submitted. */
  readonly failOnFlaky?: boolean;
  /** Bytes of evidence that are fetched; 0: none. */
  readonly evidence?: number;
}

/** Where the tries of a run stand in its report. */
interface Placing {
  readonly state: string;
  /** Each worker's desktop has a number of its own, from 1. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly attempts: ReadonlyMap<string, ReportedAttempt>;
  /** Those of each job, in order. */
  readonly byJob: ReadonlyMap<string, readonly ReportedAttempt[]>;
}

/**
 * Tells reporters what the workers of a fleet told, as if one machine had done all of it: its journals, pictures and trees lie
 * in `state` then. What is not over yet is named as such. Throws `not_found`.
 */
export async function reportRun(database: Database, options: FleetReportOptions): Promise<TestSummary> {
  const { reporter, state } = options;
  const run = await fleetRun(database, options.run);
  const jobs = await jobsOf(database, run.id);
  const attempts = await attemptsOf(database, run.id);
  const placing: Placing = {
    state,
    numbers: numbered(attempts),
    attempts: new Map(attempts.map((one) => [one.id, one])),
    byJob: Map.groupBy(attempts, ({ job }) => job),
  };
  const began = (attempts[0]?.began_at ?? run.created_at).getTime();
  const note = (message: string) => reporter.event({ event: "tests-note", level: "warning", message });
  reporter.event({
    event: "tests-started",
    files: jobs.map(({ test }) => test),
    workers: placing.numbers.size,
    at: began,
  });
  await fetchEvidence(database, run.id, jobs, options, note);
  for await (const { attempt, event } of eventsOf(database, run.id)) {
    if (event.event === "run" || event.event === "try-started") {
      reporter.event({ ...event, ...placed(event, attempt, placing) });
    } else if (event.event === "try-finished") {
      reporter.event({ ...event, result: { ...event.result, ...placed(event.result, attempt, placing) } });
    } else if (event.event === "tests-note") reporter.event(event);
  }
  const files = jobs.map((job) => resultOf(job, placing, note));
  for (const result of files) reporter.event({ event: "file-finished", result });
  const summary = summaryOf(run, jobs, files, { began, placing, options });
  await reporter.finish(summary);
  return summary;
}

function numbered(attempts: readonly ReportedAttempt[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const one of attempts) {
    const name = desktopOf(one);
    if (!numbers.has(name)) numbers.set(name, numbers.size + 1);
  }
  return numbers;
}

function desktopOf({ worker, slot }: ReportedAttempt): string {
  return `${worker} ${slot}`;
}

/** Where a try is here: its worker's number among all, its folder in this state folder. */
function placed(one: TestTry, attempt: string | null, { state, numbers, attempts }: Placing) {
  const row = attempt === null ? undefined : attempts.get(attempt);
  const number = row && numbers.get(desktopOf(row));
  return { ...defined({ worker: number }), state, folder: join(state, "runs", one.run) };
}

/** What came of a job, with its tries where they are here. */
function resultOf(
  { row, test, result }: ReportedJob,
  placing: Placing,
  note: (message: string) => void,
): TestFileResult {
  if (!result) {
    const over = row.state !== "waiting" && row.state !== "running";
    const reason = row.reason ?? (over ? `not run: ${row.state}` : `not over: ${row.state}`);
    return { ...test, status: "skipped", exit: 0, duration_ms: 0, tries: [], reason };
  }
  const own = placing.byJob.get(row.id) ?? [];
  const tries = result.tries.map((one, index): TestTryResult => ({
    ...one,
    ...placed(one, own[index]?.id ?? null, placing),
  }));
  const { divergence: _, ...rest } = result;
  // Two tries may have run on two machines: only here are both.
  const divergence = result.status === "flaky" ? divergenceOf(tries, note) : undefined;
  return { ...rest, tries, ...defined({ divergence }) };
}

/** Fetches journals and evidence, those of files that failed first, as far as there is room. */
async function fetchEvidence(
  database: Database,
  run: string,
  jobs: readonly ReportedJob[],
  { state, key, evidence = MOST_BYTES }: FleetReportOptions,
  note: (message: string) => void,
): Promise<void> {
  if (evidence === 0) return;
  const stored = await storedRuns(database, run);
  let room = evidence;
  const left = { runs: 0, files: 0 };
  const why = new Map<string, number>();
  const failed = (reason: string) => why.set(reason, (why.get(reason) ?? 0) + 1);
  for (const [id, one] of inOrder(stored, jobs)) {
    if (one.size > room) {
      left.runs++;
      continue;
    }
    room -= one.size;
    try {
      const unpacked = await unpackRun(piecesOf(database, one.artefact), { state, run: id, key });
      left.files += unpacked.left;
      if (unpacked.closed !== undefined) failed(unpacked.closed);
    } catch (thrown) {
      failed(toBackstepError(thrown).message);
    }
  }
  for (const [reason, count] of why) note(`The evidence of ${count} runs cannot be shown: ${reason}`);
  if (left.runs > 0) {
    note(`The evidence of ${left.runs} runs is left out: there is more than ${evidence} bytes of it`);
  }
  if (left.files > 0) note(`${left.files} pictures or other files of runs were too many to be stored`);
}

const WORTH: Readonly<Record<TestStatus, number>> = { failed: 0, flaky: 1, passed: 2, skipped: 3 };

function inOrder(
  stored: ReadonlyMap<string, StoredRun>,
  jobs: readonly ReportedJob[],
): [string, StoredRun][] {
  const files = jobs.flatMap(({ result }) => result ?? []).sort((a, b) => WORTH[a.status] - WORTH[b.status]);
  return files.flatMap(({ tries }) =>
    tries.flatMap(({ run }): [string, StoredRun][] => {
      const one = stored.get(run);
      return one ? [[run, one]] : [];
    })
  );
}

function summaryOf(
  run: RunRow,
  jobs: readonly ReportedJob[],
  files: readonly TestFileResult[],
  { began, placing, options }: {
    readonly began: number;
    readonly placing: Placing;
    readonly options: FleetReportOptions;
  },
): TestSummary {
  const sorted = [...files].sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  const ends = jobs.flatMap(({ row }) => row.finished_at?.getTime() ?? []);
  const interrupted = run.state === "cancelled";
  const how = {
    interrupted,
    timedOut: false,
    failOnFlaky: options.failOnFlaky ?? saysFailOnFlaky(run.options),
  };
  return {
    files: sorted,
    counts: countsOf(sorted),
    duration_ms: ends.length === 0 ? 0 : Math.max(0, Math.max(...ends) - began),
    began,
    workers: placing.numbers.size,
    exit: exitOf(sorted, how),
    interrupted,
  };
}

function saysFailOnFlaky(options: unknown): boolean {
  return typeof options === "object" && options !== null && "failOnFlaky" in options &&
    options.failOnFlaky === true;
}
