import { join } from "node:path";
import { env } from "node:process";
import { type ErrorJson, toBackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { BUDGETS } from "../engine/model/budgets.ts";
import { diffRuns, type RunDiff } from "../engine/journal/run-diff.ts";
import { Mask } from "../engine/secrets/mask.ts";
import { readSecretFile } from "../engine/secrets/secret-file.ts";
import type { Description } from "./description.ts";
import { newRunId } from "../engine/run/run-id.ts";
import type {
  Shard,
  TestEvent,
  TestFile,
  TestFileResult,
  TestSummary,
  TestTry,
  TestTryResult,
} from "../report/reporter.ts";
import { stateFolder } from "../session/lease.ts";
import { duration } from "../report/style.ts";
import { countsOf, exitOf, judge, statusOf } from "./judge.ts";
import { Queue } from "./queue.ts";
import type { Selected } from "./select.ts";
import { PATIENCE, type Patience, WorkerProcess } from "./worker-process.ts";
import type { Job } from "./wire.ts";

/** What a test run is given. */
export interface TestOptions {
  /** In the order in which they are to begin. */
  readonly files: readonly Selected[];
  readonly workers: number;
  /** Further tries of a file that failed. */
  readonly retries: number;
  /** Files that may fail before no more are begun; undefined: all. */
  readonly maxFailures?: number | undefined;
  readonly failOnFlaky: boolean;
  /** Milliseconds for all files together; then what runs is stopped and undone, and no more is begun. Default: no limit. */
  readonly limit?: number | undefined;
  /** Said in the summary only: the files are those of the shard already. */
  readonly shard?: Shard | undefined;
  /** What every file's run is given. */
  readonly job: Omit<Job, "file" | "run" | "state">;
  /** The state folder of the runs; those on a desktop that outlives them are kept with the user's own. */
  readonly state: string;
  readonly listener: (event: TestEvent) => void;
  /** Fires: stop what runs, and undo it; begin no more. */
  readonly signal?: AbortSignal;
  /** Fires: stop undoing, too. */
  readonly hardStop?: AbortSignal;
  readonly patience?: Partial<Patience>;
}

/** Why a file that was selected was not run. */
type Left = "interrupted" | "failures" | "limit";

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
    ...(shard ? { shard } : {}),
    at: began,
  });
  const results: TestFileResult[] = [];
  const finish = (result: TestFileResult) => {
    results.push(result);
    listener({ event: "file-finished", result });
  };
  for (const file of files) if (!isToRun(file)) finish(notRun(file));
  const queue = new Queue(files.filter(isToRun));
  let left: Left = "failures";
  const interrupt = () => {
    left = options.signal?.aborted ? "interrupted" : "limit";
    if (left === "limit") {
      const message = `The time limit of the test run, ${
        duration(limit ?? 0)
      }, was reached: what runs is rolled back.`;
      listener({ event: "tests-note", level: "warning", message });
    }
    for (const file of queue.drain()) finish(notRun({ ...file, reason: REASONS[left] }));
  };
  signal?.addEventListener("abort", interrupt, { once: true });
  if (signal?.aborted) interrupt();
  const work = async (number: number) => {
    const worker = new Worker(number, { ...options, ...defined({ signal }) });
    try {
      for (let file = await queue.take(); file; file = await queue.take()) {
        try {
          finish(await worker.file(file));
        } finally {
          queue.giveBack(file);
        }
        const failures = results.filter(({ status }) => status === "failed").length;
        if (options.maxFailures !== undefined && failures >= options.maxFailures) {
          for (const other of queue.drain()) finish(notRun({ ...other, reason: REASONS[left] }));
        }
      }
    } catch (thrown) {
      queue.drain();
      throw thrown;
    } finally {
      await worker.end();
    }
  };
  const finished = await Promise.allSettled(Array.from({ length: crew }, (_, i) => work(i + 1)));
  signal?.removeEventListener("abort", interrupt);
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
    ...(shard ? { shard } : {}),
    exit: exitOf(sorted, { interrupted, timedOut, failOnFlaky: options.failOnFlaky }),
    interrupted,
  };
}

const REASONS: Readonly<Record<Left, string>> = {
  interrupted: "not run: interrupted",
  failures: "not run: as many failures as allowed",
  limit: "not run: the time limit of the test run was reached",
};

function isToRun({ reason, error }: Selected): boolean {
  return reason === undefined && error === undefined;
}

function testFile({ id, file, description, case: one }: Selected): TestFile {
  const { name = file, tags = [] } = description ?? {};
  return { id, file, name: one === undefined ? name : `${name} [${one}]`, tags, ...defined({ case: one }) };
}

/** A file that is skipped, or that cannot be read. */
function notRun(file: Selected): TestFileResult {
  const { reason, error } = file;
  return {
    ...testFile(file),
    status: error ? "failed" : "skipped",
    exit: error ? exitOfError(error) : 0,
    duration_ms: 0,
    tries: [],
    ...defined({ reason }),
    ...(error ? { error } : {}),
  };
}

/** As `backstep run` would exit on what kept a file from running. */
function exitOfError({ code }: ErrorJson): number {
  if (code === "cancelled") return 130;
  return ["usage", "workflow", "selector", "invalid"].includes(code) ? 2 : 1;
}

/** One place in the crew: a process, and the next one when that is gone. */
class Worker {
  readonly #number: number;
  readonly #options: TestOptions;
  #process: WorkerProcess | undefined;

  constructor(number: number, options: TestOptions) {
    this.#number = number;
    this.#options = options;
    options.signal?.addEventListener("abort", this.#stop);
    options.hardStop?.addEventListener("abort", this.#hardStop);
  }

  readonly #stop = () => this.#process?.stop();
  readonly #hardStop = () => this.#process?.hardStop();

  /** All tries of a file. */
  async file(file: Selected): Promise<TestFileResult> {
    const { retries, signal } = this.#options;
    const tries: TestTryResult[] = [];
    for (let attempt = 1; attempt <= retries + 1; attempt++) {
      const tried = await this.#try(file, attempt);
      tries.push(tried);
      this.#options.listener({ event: "try-finished", result: tried });
      // A faulty file stays faulty.
      if (tried.status !== "failed" || tried.exit === 2 || signal?.aborted) break;
    }
    const last = tries.at(-1);
    const status = statusOf(tries);
    const divergence = status === "flaky" ? this.#divergence(tries) : undefined;
    return {
      ...testFile(file),
      status,
      exit: last?.exit ?? 1,
      duration_ms: tries.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
      tries,
      ...(last?.error ? { error: last.error } : {}),
      ...(divergence ? { divergence } : {}),
    };
  }

  async end(): Promise<void> {
    this.#options.signal?.removeEventListener("abort", this.#stop);
    this.#options.hardStop?.removeEventListener("abort", this.#hardStop);
    await this.#process?.end();
  }

  async #try(file: Selected, attempt: number): Promise<TestTryResult> {
    const { listener, job: given, patience, signal } = this.#options;
    const session = given.session ?? file.description?.session ?? "isolated";
    const own = session === "isolated" || session === "simulated";
    // What is left on a desktop that stays is found by `backstep recover`.
    const state = own ? this.#options.state : stateFolder();
    const run = newRunId();
    const tag: TestTry = {
      test: file.id,
      file: file.file,
      attempt,
      worker: this.#number,
      run,
      folder: join(state, "runs", run),
      state,
    };
    const began = Date.now();
    const started = performance.now();
    listener({ event: "try-started", ...tag, at: began });
    if (!this.#process || this.#process.over) {
      this.#process = new WorkerProcess({
        patience: { ...PATIENCE, ...patience },
        note: (message) => listener({ event: "tests-note", level: "warning", message }),
      });
    }
    const process = this.#process;
    const timeout = given.timeout ?? file.description?.timeout ?? BUDGETS.flow;
    const outcome = await process.run(
      { ...given, file: file.file, run, state, ...defined({ case: file.case }) },
      timeout,
      (reported) => {
        listener({ event: "run", ...tag, at: Date.now(), reported });
      },
    );
    // What a file's own code prints or throws went past the run, which masks all else.
    const mask = new Mask(declaredSecrets(file.description));
    const printed = mask.text(process.printed());
    const said = { ...tag, began, ...(printed === "" ? {} : { printed }) };
    const duration_ms = Math.round(performance.now() - started);
    if (outcome.kind === "ended") {
      return { ...said, ...judge(file.file, outcome.result), duration_ms, result: outcome.result };
    }
    const error = mask.apply<ErrorJson>(outcome.error);
    const exit = outcome.kind === "lost" ? 4 : exitOfError(error);
    const status = signal?.aborted && exit === 130 ? "cancelled" : "failed";
    return { ...said, status, exit, duration_ms, error };
  }

  /** Where the last failing try and the passing one part. */
  #divergence(tries: readonly TestTryResult[]): RunDiff | undefined {
    const [failing, passing] = tries.slice(-2);
    if (!failing || !passing) return undefined;
    try {
      return diffRuns(passing.state, failing.folder, passing.folder);
    } catch (thrown) {
      const message = `The tries of ${passing.file} cannot be compared: ${toBackstepError(thrown).message}`;
      this.#options.listener({ event: "tests-note", level: "warning", message });
      return undefined;
    }
  }
}

/** What a file's secrets hold, as far as that is known outside of its run. */
function declaredSecrets(description: Description | undefined): string[] {
  if (!description) return [];
  const { secrets, secretSources = {} } = description;
  return secrets.flatMap((name) => {
    const source = secretSources[name] ?? { env: name };
    if ("env" in source) return env[source.env] ?? [];
    if ("prompt" in source) return [];
    try {
      return [readSecretFile(name, source.file)];
    } catch (thrown) {
      if (toBackstepError(thrown).code !== "usage") throw thrown;
      return []; // the run has said so itself
    }
  });
}
