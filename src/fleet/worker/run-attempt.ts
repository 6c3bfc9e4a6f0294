import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { type ErrorJson, toBackstepError } from "../../base/error.ts";
import type { TestEvent, TestFileResult, TestTryResult } from "../../report/reporter.ts";
import type { Worker } from "../../testing/crew-worker.ts";
import { reasonToSkip } from "../../testing/description.ts";
import { notRun, resultOf } from "../../testing/results.ts";
import type { Selected } from "../../testing/select.ts";
import { makeProject } from "../jobs/project.ts";
import { type JobSpec, Manifest, readSpec, RunOptionsRow } from "../jobs/spec.ts";
import { earlierClaims } from "../queue/claim.ts";
import { finishAttempt, finishRun, type Outcome } from "../queue/finish.ts";
import type { Fleet } from "../queue/fleet.ts";
import type { FleetKey } from "../evidence/fleet-key.ts";
import { noteOutcome } from "../items/outcome.ts";
import { keepLease } from "../queue/lease.ts";
import type { Taken } from "../queue/take.ts";
import type { ClaimRow } from "../schema/tables.ts";
import { stopAfterFailures } from "../stop-run.ts";
import { FleetClaims } from "./claims.ts";
import { EventWriter } from "./events.ts";
import { keepEvidence } from "./keep-evidence.ts";

/** What an attempt is run with. */
export interface Running {
  readonly fleet: Fleet;
  /** The folder of the projects' files. */
  readonly projects: string;
  /** Encrypts the keys of what is kept of runs; undefined: the fleet has none. */
  readonly key: FleetKey | undefined;
  /** Makes a place in the crew, whose events are these; it is kept for the next attempt where it can be. */
  readonly crew: (listener: (event: TestEvent) => void) => Worker;
  /** Told what went wrong and was got over. */
  readonly failed: (error: unknown) => void;
  /** Told the name of what begins and ends, for the worker's own log. */
  readonly log: (line: string) => void;
  /** Fires: stop what runs, roll it back, and give the job to another worker. */
  readonly stop: AbortSignal;
  /** Registers what is to be told that a run was cancelled; answers what unregisters it. */
  readonly onCancel: (run: string, then: () => void) => () => void;
}

/** Milliseconds that the end of an attempt is tried to be written, beyond its lease. */
const FINISH = 60_000;
const Tries = z.object({
  result: z.custom<TestTryResult>((value) => typeof value === "object" && value !== null),
});

/** Runs an attempt that was taken, and writes what came of it, once. Rejects for nothing that the job does. */
export async function runAttempt(taken: Taken, running: Running): Promise<void> {
  const { fleet, failed, log, stop } = running;
  const lease = keepLease(fleet, taken, { lease: taken.lease, failed });
  const events = new EventWriter(fleet, taken, failed);
  const worker = running.crew((event) => {
    if (event.event === "tests-note") log(event.message);
    events.add(event);
  });
  const abort = () => worker.stop();
  lease.lost.addEventListener("abort", abort);
  stop.addEventListener("abort", abort);
  let cancelled = false;
  const unhook = running.onCancel(taken.job.run, () => {
    cancelled = true;
    abort();
  });
  try {
    const claims = new FleetClaims(fleet, taken, lease.lost, failed);
    const ready = await prepare(taken, running);
    if (ready.kind === "over") return await finishEarly(taken, ready.result, running, events);
    const { selected, spec, folder, options } = ready;
    if (stop.aborted || lease.lost.aborted) return;
    log(`${spec.id}: begins${taken.number > 1 ? `, try ${taken.number}` : ""}`);
    const tried = await worker.run(selected, taken.number, { cwd: join(folder, spec.cwd), claims });
    await claims.close(tried.result !== undefined);
    if (lease.lost.aborted || (stop.aborted && tried.status === "cancelled" && !cancelled)) {
      log(`${spec.id}: was rolled back; another worker does it`);
      return;
    }
    const judged = await withDoubts(tried, taken, running);
    events.add({ event: "try-finished", result: judged.tried });
    const again = judged.tried.status === "failed" && judged.tried.exit !== 2 &&
      judged.tried.error?.code !== "rejected" && !judged.doubtful &&
      !claims.inDoubt && taken.number <= taken.job.retries && !cancelled;
    await keepEvidence(judged.tried, taken, options, running);
    const outcome = await outcomeOf(judged.tried, again, selected, taken, running, cancelled);
    await finish(taken, outcome, running, events);
    log(`${spec.id}: ${judged.tried.status}, exit ${judged.tried.exit}`);
    if (outcome.job?.state === "failed") await stopAfterFailures(fleet, taken.job.run, options.maxFailures);
  } finally {
    unhook();
    stop.removeEventListener("abort", abort);
    lease.lost.removeEventListener("abort", abort);
    await lease.release();
  }
}

/** A job that can be run, or one that is over before it began. */
type Prepared =
  | {
    readonly kind: "run";
    readonly selected: Selected;
    readonly spec: JobSpec;
    readonly folder: string;
    readonly options: RunOptionsRow;
  }
  | { readonly kind: "over"; readonly result: TestFileResult };

async function prepare(taken: Taken, { fleet, projects }: Running): Promise<Prepared> {
  const { job } = taken;
  let selected: Selected | undefined;
  try {
    const spec = readSpec(job.spec);
    const [run] = await fleet.database.rows(
      z.object({ options: RunOptionsRow, state: z.string() }),
      "select options, state from run where id = $1",
      [job.run],
    );
    const options = run?.options ?? { failOnFlaky: false, lease: taken.lease, priority: 0 };
    selected = selectedOf(spec, taken);
    const reason = run?.state === "cancelled"
      ? "not run: the run was cancelled"
      : job.deadline !== null && job.deadline.getTime() < Date.now()
      ? `not run: its deadline, ${job.deadline.toISOString()}, is over`
      : spec.description && reasonToSkip(spec.description, spec.given.session, process.env);
    if (reason !== undefined) return { kind: "over", result: notRun({ ...selected, reason }) };
    const folder = await makeProject(fleet.database, projects, Manifest.parse(job.files));
    const { given } = spec;
    const own = {
      ...given,
      root: folder,
      ...defined({ varsFile: given.varsFile === undefined ? undefined : join(folder, given.varsFile) }),
    };
    return { kind: "run", selected: { ...selected, job: own }, spec, folder, options };
  } catch (thrown) {
    const error = toBackstepError(thrown);
    // A fault of the database is none of the job: its lease runs out, and it is delivered again.
    if (error.code === "io" && selected === undefined) throw thrown;
    return { kind: "over", result: notRun({ ...(selected ?? bare(taken)), error: error.toJSON() }) };
  }
}

function selectedOf({ id, file, case: one, project, description }: JobSpec, { job }: Taken): Selected {
  return {
    id,
    file,
    path: file,
    description,
    locks: job.locks,
    expected: job.expected_ms ?? undefined,
    retries: job.retries,
    ...defined({ case: one, project }),
  };
}

function bare({ job }: Taken): Selected {
  return {
    id: job.duration_key,
    file: job.duration_key,
    path: "",
    description: undefined,
    locks: [],
    expected: undefined,
  };
}

/** Ends a job that is not run; what an earlier delivery may have done is named all the same. */
async function finishEarly(
  taken: Taken,
  result: TestFileResult,
  running: Running,
  events: EventWriter,
): Promise<void> {
  const doubts = await earlierClaims(running.fleet, taken);
  const whole: TestFileResult = doubts.length === 0
    ? result
    : { ...result, status: "failed", exit: 4, error: doubtError(result, doubts) };
  const { status, exit, reason } = whole;
  await finish(
    taken,
    {
      state: "failed",
      result: null,
      job: { state: status === "failed" ? "failed" : "skipped", exit, reason, result: whole },
      events: [{ event: "file-finished", result: whole }],
      also: (tx) => status === "failed" ? noteOutcome(tx, taken.job, whole) : Promise.resolve(),
    },
    running,
    events,
  );
}

/** What earlier deliveries may have done, and this one did not find out: it is named, and the try is in doubt. */
async function withDoubts(
  tried: TestTryResult,
  taken: Taken,
  { fleet }: Running,
): Promise<{ readonly tried: TestTryResult; readonly doubtful: boolean }> {
  const earlier = await earlierClaims(fleet, taken);
  const passed = new Set(
    tried.result?.steps.filter(({ status }) => status === "passed").map(({ path }) => path),
  );
  const doubts = earlier.filter(({ path }) => !passed.has(path));
  if (doubts.length === 0) return { tried, doubtful: tried.error?.code === "claimed" };
  return { tried: { ...tried, status: "failed", exit: 4, error: doubtError(tried, doubts) }, doubtful: true };
}

/** Doubts that an error names. */
const NAMED = 20;

/** An error that names doubts. */
export function doubtError(
  { file, error }: { readonly file: string; readonly error?: ErrorJson },
  doubts: readonly ClaimRow[],
): ErrorJson {
  const words = doubts.slice(0, NAMED).map(({ step, path, outcome }) =>
    `${step} at step ${path} ${outcome === "done" ? "was done" : "may have been done"}`
  );
  const more = doubts.length > NAMED ? `, and ${doubts.length - NAMED} more` : "";
  return {
    code: "claimed",
    message: `Cannot say how ${file} stands: in an earlier delivery ${words.join("; ")}${more}`,
    hint: "Look at what it acts on. A `done_when:` of the step would tell whether it happened.",
    details: {
      doubts: doubts.slice(0, NAMED).map(({ step, path, at, worker, outcome }) => ({
        step,
        path,
        worker,
        at: at.toISOString(),
        recorded: outcome ?? "nothing",
      })),
      ...(error ? { error: { code: error.code, message: error.message } } : {}),
    },
  };
}

async function outcomeOf(
  tried: TestTryResult,
  again: boolean,
  selected: Selected,
  { job, number }: Taken,
  { fleet }: Running,
  cancelled: boolean,
): Promise<Outcome> {
  const state = tried.status === "passed" ? "passed" : tried.status === "cancelled" ? "cancelled" : "failed";
  const duration = tried.status === "cancelled" ? undefined : tried.duration_ms;
  if (again) return { state, result: tried, job: undefined, duration, events: [] };
  const before = number === 1 ? [] : await fleet.database.rows(
    Tries,
    "select result from attempt where job = $1 and number < $2 and result is not null order by number",
    [job.id, number],
  );
  // Tries of other machines are compared where all of them are: in a report.
  const result = resultOf(selected, [...before.map((one) => one.result), tried], () => {});
  const end = cancelled && tried.status === "cancelled" ? "cancelled" as const : result.status;
  return {
    state,
    result: tried,
    job: { state: end, exit: result.exit, result },
    duration,
    events: [{ event: "file-finished", result }],
    also: (tx) => noteOutcome(tx, job, tried),
  };
}

async function finish(
  taken: Taken,
  outcome: Outcome,
  { fleet, failed, log }: Running,
  events: EventWriter,
): Promise<void> {
  await events.flush();
  const [options] = await fleet.database.rows(
    z.object({ priority: z.number() }),
    "select priority from run where id = $1",
    [taken.job.run],
  );
  const patience = { within: taken.lease + FINISH, failed };
  const written = await finishAttempt(fleet, taken, taken.job, outcome, {
    priority: options?.priority ?? 0,
    lease: taken.lease,
    patience,
  });
  if (!written) return log(`${taken.job.duration_key}: its end is not written: another worker has the job`);
  if (outcome.job) await finishRun(fleet, taken.job.run);
}
