import { defined } from "../../base/defined.ts";
import type { ErrorJson } from "../../base/error.ts";
import type { RunEvent, RunResult, StepResult } from "../../contract/events.ts";
import type { Output } from "../list.ts";
import type {
  Reporter,
  TestEvent,
  TestFileResult,
  TestStatus,
  TestSummary,
  TestTryResult,
} from "../reporter.ts";

/** A step that passed, or did not. */
export function step(path: string, more: Partial<StepResult> = {}): StepResult {
  return {
    path,
    name: `click button "${path}"`,
    operation: "click",
    effect: "observed",
    status: "passed",
    duration_ms: 12,
    ...more,
  };
}

/** Why something failed, in texts that no report may be broken by. */
export const WRONG: ErrorJson = {
  code: "assertion",
  message: 'Cannot confirm button[name="<Save> & ]]>\u0007"]: exists is false',
  hint: "50% of it,\nsee: `tree`",
  place: { file: "w/b.yaml", line: 7, column: 5 },
};

function runOf(run: string, status: "passed" | "failed", error: ErrorJson | undefined): RunResult {
  return {
    run,
    workflow: "W",
    desktop: { kind: "simulated", label: "simulated" },
    status,
    exit: status === "passed" ? 0 : 1,
    duration_ms: 34,
    steps: [step("1"), ...(error ? [step("2", { status: "failed", error })] : [])],
    rollback: { verdict: "none", steps: [], drift: [], enrolled: [] },
    unstable: [],
    ...defined({ error }),
  };
}

/** One try of a file. */
export function tryOf(file: string, attempt: number, status: "passed" | "failed"): TestTryResult {
  const run = `20261121-00000${attempt}-${file.replaceAll(/\W/g, "")}`;
  const error = status === "failed" ? WRONG : undefined;
  return {
    test: file,
    file,
    attempt,
    worker: 1,
    run,
    folder: `/state/runs/${run}`,
    state: "/state",
    status,
    exit: status === "passed" ? 0 : 1,
    began: 1_795_000_000_000,
    duration_ms: 1_234,
    result: runOf(run, status, error),
    ...defined({ error }),
  };
}

/** A file that was run, with this outcome. */
export function tried(file: string, status: TestStatus, more: Partial<TestFileResult> = {}): TestFileResult {
  const tries = status === "flaky"
    ? [tryOf(file, 1, "failed"), tryOf(file, 2, "passed")]
    : status === "skipped"
    ? []
    : [tryOf(file, 1, status)];
  return {
    id: file,
    file,
    name: `The name of ${file}`,
    tags: ["smoke"],
    status,
    exit: status === "failed" ? 1 : 0,
    duration_ms: 1_234,
    ...more,
    tries: tries.map((one) => ({ ...one, duration_ms: more.duration_ms ?? one.duration_ms })),
    ...(status === "failed" ? { error: WRONG } : {}),
    ...(status === "skipped" ? { reason: "not installed: kate" } : {}),
    ...(status === "flaky"
      ? {
        divergence: {
          first: "r1",
          second: "r2",
          same: false,
          common: 3,
          context: [],
          after: "1",
          divergence: {
            lines: { first: 5, second: 5 },
            kinds: { first: "intent", second: "intent" },
            paths: { first: "2", second: "2" },
            fields: [{ field: "sealed.input.value", first: "Gracie", second: "Grace" }],
          },
          unopened: [],
        },
      }
      : {}),
  };
}

/** A summary of files. */
export function summaryOf(files: readonly TestFileResult[], more: Partial<TestSummary> = {}): TestSummary {
  const counts = { passed: 0, failed: 0, flaky: 0, skipped: 0 };
  for (const { status } of files) counts[status]++;
  return {
    files,
    counts,
    duration_ms: 4_321,
    began: 1_795_000_000_000,
    workers: 2,
    exit: counts.failed > 0 ? 1 : 0,
    interrupted: false,
    ...more,
  };
}

/** One file of each status. */
export const FILES: readonly TestFileResult[] = [
  tried("w/a.yaml", "passed"),
  tried("w/b.yaml", "failed"),
  tried("w/c.yaml", "flaky"),
  tried("w/d.yaml", "skipped"),
];

/** What a test run of these files tells. */
export function eventsOf({ files, workers, shard }: TestSummary): TestEvent[] {
  const listed = files.map(({ id, file, name, tags }) => ({ id, file, name, tags }));
  return [
    { event: "tests-started", files: listed, workers, ...defined({ shard }), at: 1_795_000_000_000 },
    ...files.flatMap((file): TestEvent[] => [...file.tries.flatMap(triedEvents), {
      event: "file-finished",
      result: file,
    }]),
  ];
}

function triedEvents(one: TestTryResult): TestEvent[] {
  const { test, file, attempt, worker, run, folder, state, began: at, result } = one;
  const tag = { test, file, attempt, worker, run, folder, state, at };
  const reported: RunEvent[] = [
    { event: "run-started", run, workflow: "W", file, desktop: { kind: "simulated", label: "simulated" } },
    ...(result?.steps ?? []).flatMap((one): RunEvent[] => [
      { event: "step-started", path: one.path, name: one.name, operation: one.operation },
      { event: "step-finished", step: one },
    ]),
    ...(result ? [{ event: "run-finished" as const, result }] : []),
  ];
  return [
    { event: "try-started", ...tag },
    ...reported.map((event) => ({ event: "run" as const, ...tag, reported: event })),
    { event: "try-finished", result: one },
  ];
}

/** What a reporter writes to standard output; `columns`: of a terminal, else it is a log. */
export async function spoken(
  make: (output: Output) => Reporter,
  summary: TestSummary,
  columns = 0,
): Promise<string> {
  let text = "";
  const terminal = columns > 0;
  const reporter = make({ write: (one) => text += one, terminal, live: terminal, columns });
  for (const event of eventsOf(summary)) reporter.event(event);
  await reporter.finish(summary);
  return text;
}
