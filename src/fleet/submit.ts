import { relative, resolve, sep } from "node:path";
import { realpathSync } from "node:fs";
import { z } from "zod";
import { defined } from "../base/defined.ts";
import { BackstepError, toBackstepError } from "../base/error.ts";
import { newRunId } from "../engine/run/run-id.ts";
import type { TestEvent, TestFile, TestFileResult } from "../report/reporter.ts";
import { notRun, testFile } from "../testing/results.ts";
import type { Selected } from "../testing/select.ts";
import type { GivenJob } from "../testing/wire.ts";
import { projectRoot } from "../workflow/load.ts";
import { JOBS_ADDED } from "./channels.ts";
import { notify } from "./database/listen.ts";
import type { Database } from "./database/database.ts";
import { Bundles } from "./jobs/bundle.ts";
import type { JobSpec, RunOptionsRow } from "./jobs/spec.ts";
import { storeBlobs } from "./jobs/store.ts";
import { enqueue, type NewJob, type NewRun } from "./queue/enqueue.ts";
import { finishRun } from "./queue/finish.ts";
import type { Fleet } from "./queue/fleet.ts";
import { MOST_PRIORITY } from "./queue/names.ts";
import { LEASE } from "./queue/boss.ts";
import { LIMITS } from "./schema/tables.ts";
import { submitter } from "./submitter.ts";

/** What is submitted. */
export interface Submission {
  /** In any order: those that took longest begin first. */
  readonly files: readonly Selected[];
  /** What a file's run is given that brings nothing of its own. */
  readonly job: GivenJob;
  /** The folder that paths are relative to. */
  readonly folder: string;
  /** Files and folders of the project that its jobs need besides what is found. */
  readonly more?: readonly string[];
  readonly labels: readonly string[];
  readonly priority: number;
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  /** Milliseconds. */
  readonly lease: number;
  readonly retries: number;
  readonly maxFailures?: number | undefined;
  readonly failOnFlaky: boolean;
  /** Milliseconds that journals and evidence are kept; undefined: as long as the run. */
  readonly keep?: number | undefined;
}

/** A job that is ready to be queued. */
export interface PreparedJob extends NewJob {
  readonly test: TestFile;
  readonly spec: JobSpec;
}

/** What a submission came to. */
export interface Submitted {
  readonly run: string;
  /** False: its key was there already, and this is the run that it names. */
  readonly created: boolean;
  readonly jobs: number;
}

/** Stores what the files are made of, and queues them as one run. Throws `usage`, `limit`, and what the database says. */
export async function submit(fleet: Fleet, submission: Submission): Promise<Submitted> {
  const { run: made, jobs } = await prepareRun(fleet, submission);
  const { run, created } = await enqueue(fleet, made, jobs);
  await notify(fleet.database, JOBS_ADDED);
  await finishRun(fleet, run);
  return { run, created, jobs: jobs.length };
}

/** Stores what the files are made of, and answers what is to be queued. Throws `usage`, `limit`. */
export async function prepareRun(
  fleet: Fleet,
  submission: Submission,
): Promise<{ readonly run: NewRun; readonly jobs: readonly PreparedJob[] }> {
  const { files, labels, priority, key, lease, retries, maxFailures, failOnFlaky, keep } = submission;
  check(submission);
  const { jobs, blobs } = jobsOf(submission);
  const durations = await readDurations(fleet.database, files.map(({ id }) => id));
  await storeBlobs(fleet.database, blobs);
  const options: RunOptionsRow = { failOnFlaky, lease, priority, ...defined({ maxFailures, keep }) };
  const [desktops] = await fleet.database.rows(
    z.object({ n: z.number() }),
    "select coalesce(sum(desktops), 0)::int as n from worker where state = 'active' and seen_at > now() - interval '30 seconds'",
  );
  const events: TestEvent[] = [
    { event: "tests-started", files: files.map(testFile), workers: desktops?.n ?? 0, at: Date.now() },
    ...jobs.flatMap(({ over }): TestEvent[] => over ? [{ event: "file-finished", result: over.result }] : []),
  ];
  return {
    run: {
      id: newRunId(),
      key,
      name: submission.name ?? `${files.length} files`,
      priority,
      options,
      submittedBy: submitter(),
      lease,
      blobs: [...blobs.keys()],
      events,
    },
    jobs: jobs.map(({ file, spec, files: manifest, over }) => ({
      test: testFile(file),
      spec,
      files: manifest,
      labels,
      locks: file.locks,
      durationKey: file.id,
      expected: durations.get(file.id) ?? file.expected,
      retries: file.retries ?? retries,
      over: over && {
        state: over.result.status === "failed" ? "failed" : "skipped",
        exit: over.result.exit,
        reason: over.result.reason,
        result: over.result,
      },
    })),
  };
}

/** A file of a submission with what it is made of. */
interface Job {
  readonly file: Selected;
  readonly spec: JobSpec;
  readonly files: Readonly<Record<string, string>>;
  /** It is over before it begins. */
  readonly over?: { readonly result: TestFileResult };
}

function jobsOf({ files, job: common, folder, more = [] }: Submission): {
  jobs: readonly Job[];
  blobs: ReadonlyMap<string, Uint8Array>;
} {
  const roots = new Map<string, Bundles>();
  const blobs = new Map<string, Uint8Array>();
  const jobs = files.map((file): Job => {
    const { root: given, ...own } = file.job ?? common;
    const path = resolve(folder, file.path);
    const root = realpathSync(given ?? projectRoot(path));
    const bundles = roots.get(root) ?? new Bundles(root, more.map((one) => resolve(folder, one)));
    roots.set(root, bundles);
    const cwd = cwdOf(root, folder, path);
    const base = {
      version: 1 as const,
      id: file.id,
      file: relative(resolve(root, cwd), realpathSync(path)).split(sep).join("/"),
      cwd,
      ...defined({ case: file.case, project: file.project, description: file.description }),
    };
    const spec = { ...base, given: own };
    if (file.error || file.description?.skip !== undefined) {
      const reason = file.description?.skip;
      return { file, spec, files: {}, over: { result: notRun({ ...file, ...defined({ reason }) }) } };
    }
    try {
      const varsFile = own.varsFile === undefined ? undefined : resolve(folder, own.varsFile);
      const bundle = bundles.of({ file: path, path }, varsFile);
      return {
        file,
        spec: { ...base, given: { ...own, ...defined({ varsFile: bundle.varsFile }) } },
        files: bundle.files,
      };
    } catch (thrown) {
      const error = toBackstepError(thrown);
      if (error.code !== "workflow") throw error;
      return { file, spec, files: {}, over: { result: notRun({ ...file, error: error.toJSON() }) } };
    }
  });
  for (const bundles of roots.values()) for (const [hash, bytes] of bundles.blobs) blobs.set(hash, bytes);
  return { jobs, blobs };
}

/** The folder that it is submitted from, below the project's; the project's where it is above that. */
function cwdOf(root: string, folder: string, path: string): string {
  const below = relative(root, realpathSync(folder)).split(sep).join("/");
  if (below !== ".." && !below.startsWith("../")) return below;
  if (relative(root, realpathSync(path)).startsWith("..")) {
    throw new BackstepError(
      "usage",
      `Cannot submit ${path}: it lies outside of the project's folder ${root}`,
    );
  }
  return "";
}

const Duration = z.object({ key: z.string(), duration_ms: z.number() });

async function readDurations(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await database.rows(
    Duration,
    "select key, duration_ms from duration where key = any($1::text[])",
    [keys],
  );
  return new Map(found.map((one) => [one.key, one.duration_ms]));
}

function check({ files, priority, lease, key, job }: Submission): void {
  const refused = (why: string, hint?: string) =>
    new BackstepError("usage", `Cannot submit: ${why}`, hint === undefined ? {} : { hint });
  if (Math.abs(priority) > MOST_PRIORITY) {
    throw refused(`a priority lies between -${MOST_PRIORITY} and ${MOST_PRIORITY}`);
  }
  if (lease < LEASE.least * 1_000 || lease > LEASE.most * 1_000 || lease % 1_000 !== 0) {
    throw refused(`a lease is a whole number of seconds, from ${LEASE.least} to ${LEASE.most}`);
  }
  if (key !== undefined && (key === "" || key.length > LIMITS.word)) {
    throw refused(`a key has 1 to ${LIMITS.word} characters`);
  }
  const jobs = [job, ...files.flatMap((one) => one.job ?? [])];
  if (jobs.some(({ updateBaselines: mode }) => mode !== undefined && mode !== "none")) {
    throw refused(
      "a worker cannot change the baselines of this folder",
      "Update them with `backstep test --update-baselines` on one machine, and submit then.",
    );
  }
  if (files.some(({ role }) => role !== undefined)) {
    throw refused(
      "the configuration has files that run before or after all others, which a fleet cannot order",
      "Submit what needs no such files, or run them with `backstep test` on one machine.",
    );
  }
}
