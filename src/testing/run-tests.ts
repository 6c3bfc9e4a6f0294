import { defined } from "../base/defined.ts";
import type { Shard, TestEvent, TestFileResult, TestSummary, TestTryResult } from "../report/reporter.ts";
import { duration } from "../report/style.ts";
import { Worker } from "./crew-worker.ts";
import { countsOf, exitOf } from "./judge.ts";
import { Queue } from "./queue.ts";
import { notRun, resultOf, testFile } from "./results.ts";
import type { Selected } from "./select.ts";
import { type Stage, Stages } from "./stages.ts";
import type { Patience } from "./worker-process.ts";
import type { GivenJob } from "./wire.ts";

/** What a test run is given. */
export interface TestOptions {
  /** In the order in which they are to begin. */
  readonly files: readonly Selected[];
  /** Which of them wait for others; default: none does. */
  readonly stages?: readonly Stage[];
  readonly workers: number;
  /** Further tries of a file that failed, unless it says otherwise; each alone, when nothing else can be done. */
  readonly retries: number;
  /** Files that may fail before no more are begun; undefined: all. */
  readonly maxFailures?: number | undefined;
  readonly failOnFlaky: boolean;
  /** Milliseconds for all files together; then what runs is stopped and undone, and no more is begun. Default: no limit. */
  readonly limit?: number | undefined;
  /** Said in the summary only: the files are those of the shard already. */
  readonly shard?: Shard | undefined;
  /** What every file's run is given that brings nothing of its own. */
  readonly job: GivenJob;
  /** The state folder of the runs; those on a desktop that outlives them are kept with the user's own. */
  readonly state: string;
  readonly listener: (event: TestEvent) => void;
  /** Fires: stop what runs, and undo it; begin no more. */
  readonly signal?: AbortSignal;
  /** Fires: stop undoing, too. */
  readonly hardStop?: AbortSignal;
  readonly patience?: Partial<Patience>;
  /** Told where a worker shows its desktop, of a job that says `inspect`. */
  readonly shown?: (worker: number, url: string) => void;
}

/** A file whose turn comes, and what came of it so far. */
interface Turn {
  readonly file: Selected;
  readonly stage?: string;
  readonly locks: readonly string[];
  readonly tries: readonly TestTryResult[];
  readonly alone: boolean;
  readonly mayReturn: boolean;
}

/** Why a file that was selected was not run. */
const REASONS = {
  interrupted: "not run: interrupted",
  failures: "not run: as many failures as allowed",
  limit: "not run: the time limit of the test run was reached",
} as const;

/** Runs workflow files side by side, each worker a process with a desktop of its own, and answers what came of them. */
export async function runTests(options: TestOptions): Promise<TestSummary> {
  const { files, listener, limit, hardStop, shard } = options;
  const began = Date.now();
  const over = limit === undefined ? undefined : AbortSignal.timeout(limit);
  const signals = [options.signal, over].filter((one) => one !== undefined);
  const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
  const started = performance.now();
  const crew = Math.max(1, Math.min(options.workers, files.filter(isToRun).length));
  listener({
    event: "tests-started",
    files: files.map(testFile),
    workers: crew,
    ...defined({ shard }),
    at: began,
  });
  const stages = new Stages(options.stages ?? [], files);
  const results: TestFileResult[] = [];
  const finish = (file: Selected, result: TestFileResult, lost = false) => {
    results.push(result);
    stages.finished(file, result.status, lost);
    listener({ event: "file-finished", result });
  };
  const note = (message: string) => listener({ event: "tests-note", level: "warning", message });
  const leave = ({ file, tries }: Turn, reason: string) =>
    tries.length > 0
      ? finish(file, resultOf(file, tries, note))
      : finish(file, notRun({ ...file, reason }), true);
  const turn = (file: Selected, tries: readonly TestTryResult[] = []): Turn => ({
    file,
    ...defined({ stage: file.stage }),
    locks: file.locks,
    tries,
    alone: tries.length > 0,
    mayReturn: tries.length < (file.retries ?? options.retries),
  });
  for (const file of files) if (!isToRun(file)) finish(file, notRun(file));
  const queue = new Queue(files.filter(isToRun).map((file) => turn(file)), (one) => stages.ready(one));
  /** Those whose need failed, and those that need them in turn. */
  const skipLost = () => {
    for (let lost = true; lost;) {
      const left = queue.drain((one) => stages.reasonToSkip(one) !== undefined);
      for (const one of left) leave(one, stages.reasonToSkip(one) ?? "");
      lost = left.length > 0;
    }
  };
  skipLost();
  const clearing: Turn[] = [];
  let running = 0;
  const interrupt = () => {
    const why = options.signal?.aborted ? "interrupted" : "limit";
    if (why === "limit") {
      note(`The time limit of the test run, ${duration(limit ?? 0)}, was reached: what runs is rolled back.`);
    }
    // What clears up after the others runs all the same, once those are over; where nothing began, there is nothing to clear up.
    const began = results.some(({ tries }) => tries.length > 0) || running > 0;
    for (const one of queue.drain()) {
      if (one.file.role === "after" && began) clearing.push(one);
      else leave(one, REASONS[why]);
    }
  };
  signal?.addEventListener("abort", interrupt, { once: true });
  if (signal?.aborted) interrupt();
  /** One try; answers what is to come back to the queue. */
  const attempt = async (worker: Worker, { file, tries, mayReturn }: Turn): Promise<Turn | undefined> => {
    running++;
    const tried = await worker.run(file, tries.length + 1).finally(() => running--);
    listener({ event: "try-finished", result: tried });
    const all = [...tries, tried];
    // A faulty file stays faulty, and what was rejected would be rejected again.
    const lasting = tried.exit === 2 || tried.error?.code === "rejected";
    if (tried.status === "failed" && !lasting && mayReturn && !signal?.aborted) {
      return turn(file, all);
    }
    finish(file, resultOf(file, all, note));
    return undefined;
  };
  const work = async (number: number) => {
    const worker = new Worker(number, { ...options, ...defined({ signal }) });
    try {
      for (let one = await queue.take(); one; one = await queue.take()) {
        let again: Turn | undefined;
        try {
          again = await attempt(worker, one);
          const failures = results.filter(({ status }) => status === "failed").length;
          if (options.maxFailures !== undefined && failures >= options.maxFailures) {
            // What clears up after the others runs all the same.
            for (const other of queue.drain(({ file }) => file.role !== "after")) {
              leave(other, REASONS.failures);
            }
            if (again) leave(again, REASONS.failures);
            again = undefined;
          }
          skipLost();
        } finally {
          queue.giveBack(one, again);
        }
      }
    } catch (thrown) {
      queue.drain();
      throw thrown;
    } finally {
      await worker.end();
    }
  };
  /** What was interrupted does not interrupt it; a second interrupt does. */
  const clearUp = async (one: Turn) => {
    if (hardStop?.aborted) return leave(one, REASONS.interrupted);
    const { signal: _, ...rest } = options;
    const worker = new Worker(1, { ...rest, ...(hardStop ? { signal: hardStop } : {}) });
    try {
      await attempt(worker, { ...one, mayReturn: false });
    } finally {
      await worker.end();
    }
  };
  const finished = await Promise.allSettled(Array.from({ length: crew }, (_, i) => work(i + 1)));
  signal?.removeEventListener("abort", interrupt);
  for (const one of clearing) await clearUp(one);
  for (const one of finished) if (one.status === "rejected") throw one.reason;
  const interrupted = options.signal?.aborted === true || hardStop?.aborted === true;
  const timedOut = over?.aborted === true;
  const sorted = results.sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return {
    files: sorted,
    counts: countsOf(sorted),
    duration_ms: Math.round(performance.now() - started),
    began,
    workers: crew,
    ...defined({ shard }),
    exit: exitOf(sorted, { interrupted, timedOut, failOnFlaky: options.failOnFlaky }),
    interrupted,
  };
}

function isToRun({ reason, error }: Selected): boolean {
  return reason === undefined && error === undefined;
}
