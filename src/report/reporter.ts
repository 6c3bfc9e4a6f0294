import type { ErrorJson } from "../base/error.ts";
import type { RunEvent, RunResult } from "../contract/events.ts";
import type { RunDiff } from "../engine/journal/run-diff.ts";

/** What became of a file. "flaky": a try failed, and a later one passed. */
export type TestStatus = "passed" | "failed" | "flaky" | "skipped";

/** A file of a test run, or one of its cases; with `--repeat 3` there are three of it. */
export interface TestFile {
  /** Names it in events: the path, its case in brackets, and "#2" for the second repetition. */
  readonly id: string;
  /** Path as it is shown: relative to the folder the run began in, with "/". */
  readonly file: string;
  /** The workflow's name; its path where it could not be read. */
  readonly name: string;
  /** Which of the file's cases it is. */
  readonly case?: string;
  /** The project of `backstep.config.yaml` that it ran in. */
  readonly project?: string;
  /** It ran once, before or after all files of its project, or of the whole test run. */
  readonly role?: "before" | "after";
  /** Its `properties:`. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Its `tags:`. */
  readonly tags: readonly string[];
}

/** Which try of which file an event belongs to. */
export interface TestTry {
  /** `TestFile.id`. */
  readonly test: string;
  /** `TestFile.file`. */
  readonly file: string;
  /** From 1; more than 1 only with `--retries`. */
  readonly attempt: number;
  /** Which worker did it, from 1. */
  readonly worker: number;
  /** The run's id. */
  readonly run: string;
  /** The run's folder: journal and encrypted artefacts. Absolute; of a merged shard it may not exist here. */
  readonly folder: string;
  /** The state folder that holds the run's key: `Encryption.open(state, run)`. */
  readonly state: string;
}

/** What came of one try. */
export interface TestTryResult extends TestTry {
  /** "failed" also when it ended otherwise than its `expect:` says. */
  readonly status: "passed" | "failed" | "cancelled";
  /** As `backstep run` would exit; 0 where an `expect:` was met. */
  readonly exit: number;
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
  /** With opening the desktop and tidying up, in milliseconds. */
  readonly duration_ms: number;
  /** Absent when the run never ended: the worker died or was killed. */
  readonly result?: RunResult;
  /** Why it failed. */
  readonly error?: ErrorJson;
  /** What the file's own code and the core wrote meanwhile, the last 64 KiB. */
  readonly printed?: string;
}

/** What came of a file. */
export interface TestFileResult extends TestFile {
  /** After all tries. */
  readonly status: TestStatus;
  /** Of its last try; 0 when it was skipped. */
  readonly exit: number;
  /** All tries together, in milliseconds. */
  readonly duration_ms: number;
  /** In order; none when it was skipped or could not be read. */
  readonly tries: readonly TestTryResult[];
  /** Why it was skipped. */
  readonly reason?: string;
  /** Why it failed: of its last try, or of reading it. */
  readonly error?: ErrorJson;
  /** Flaky: where the last failing try and the passing one part. */
  readonly divergence?: RunDiff;
}

/** A part of a suite: `--shard 2/3`. */
export interface Shard {
  /** Which part, from 1. */
  readonly index: number;
  /** How many there are. */
  readonly total: number;
}

/** Everything that a test run tells while it goes. Events of several files are interleaved; those of one try are in order. */
export type TestEvent =
  | {
    readonly event: "tests-started";
    readonly files: readonly TestFile[];
    readonly workers: number;
    readonly shard?: Shard;
    /** Milliseconds since 1970. */
    readonly at: number;
  }
  | TestTry & { readonly event: "try-started"; readonly at: number }
  /** What the run itself tells. */
  | TestTry & { readonly event: "run"; readonly at: number; readonly reported: RunEvent }
  | { readonly event: "try-finished"; readonly result: TestTryResult }
  | { readonly event: "file-finished"; readonly result: TestFileResult }
  | { readonly event: "tests-note"; readonly level: "info" | "warning"; readonly message: string };

/** A test run as a whole. */
export interface TestSummary {
  /** In the order of their paths. */
  readonly files: readonly TestFileResult[];
  /** How many of each. */
  readonly counts: Readonly<Record<TestStatus, number>>;
  /** From the first file to the last, in milliseconds. */
  readonly duration_ms: number;
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
  readonly workers: number;
  readonly shard?: Shard;
  /** The gravest of its files (4, 3, 2, 1, 0); 130 when it was interrupted. */
  readonly exit: number;
  readonly interrupted: boolean;
}

/** Makes something of a test run: lines, a file. Made of events only. */
export interface Reporter {
  /** Told each event, in order; must not throw. */
  event(event: TestEvent): void;
  /** Told at the end; writes what is to be written. Throws `io` where that cannot be. */
  finish(summary: TestSummary): Promise<void>;
}

/** What a reporter is made with. */
export interface ReporterOptions {
  /** File to write; default: beside the others in `output`. */
  readonly path?: string;
  /** The folder of `--output`, absolute; it need not exist yet. */
  readonly output: string;
}
