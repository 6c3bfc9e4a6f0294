import { BackstepError, type ErrorJson } from "../base/error.ts";
import type { RunResult } from "../contract/events.ts";
import type { TestFileResult, TestStatus, TestTryResult } from "../report/reporter.ts";

/** What a run that ended means for its file, given what the file says it is meant to end in. */
export function judge(
  file: string,
  result: RunResult,
): Pick<TestTryResult, "status" | "exit" | "error"> {
  const { status, exit, expected, error, rollback } = result;
  // Whether an action happened is not known: no `expect:` can mean that.
  const inDoubt = exit === 4 && rollback.verdict !== "failed";
  if (expected === undefined || status === "cancelled" || inDoubt) {
    return { status, exit, ...(error ? { error } : {}) };
  }
  if (expected) return { status: "passed", exit: 0 };
  return { status: "failed", exit: Math.max(1, exit), error: error ?? otherwise(file, result) };
}

function otherwise(file: string, { status, rollback }: RunResult): ErrorJson {
  return new BackstepError(
    "assertion",
    `Cannot accept how ${file} ended: ${status}, rollback ${rollback.verdict}, which is not what its \`expect:\` says`,
    { hint: "Change the steps, or what the file expects." },
  ).toJSON();
}

/** A file's status after all its tries. */
export function statusOf(tries: readonly TestTryResult[]): Exclude<TestStatus, "skipped"> {
  if (tries.at(-1)?.status !== "passed") return "failed";
  return tries.length > 1 ? "flaky" : "passed";
}

/**
 * How a test run exits: as its gravest file; 130 when it was interrupted and nothing graver is left; at least 1 when its time
 * limit was reached.
 */
export function exitOf(
  files: readonly TestFileResult[],
  how: { readonly interrupted: boolean; readonly timedOut: boolean; readonly failOnFlaky: boolean },
): number {
  const gravest = files.reduce((worst, { exit }) => exit === 130 ? worst : Math.max(worst, exit), 0);
  if (how.interrupted) return gravest >= 3 ? gravest : 130;
  const flaky = how.failOnFlaky && files.some(({ status }) => status === "flaky");
  return gravest === 0 && (how.timedOut || flaky || files.some(({ status }) => status === "failed"))
    ? 1
    : gravest;
}

/** How many files of each status there are. */
export function countsOf(files: readonly TestFileResult[]): Record<TestStatus, number> {
  const counts = { passed: 0, failed: 0, flaky: 0, skipped: 0 };
  for (const { status } of files) counts[status]++;
  return counts;
}
