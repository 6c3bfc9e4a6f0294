import { changedIn, changedLines } from "../changed.ts";
import { diffLines } from "../diff.ts";
import { errorLines } from "../error.ts";
import type { TestFileResult, TestStatus, TestSummary } from "../reporter.ts";
import { count, duration, oneLine, type Style } from "../style.ts";

/** A status as it is painted. */
export function painted(status: TestStatus, text: string, style: Style): string {
  switch (status) {
    case "passed":
      return style.good(text);
    case "failed":
      return style.bad(text);
    case "flaky":
      return style.warn(text);
    case "skipped":
      return style.dim(text);
  }
}

/** The sign of a status. */
export const SIGN: Readonly<Record<TestStatus, string>> = {
  passed: "✓",
  failed: "✗",
  flaky: "±",
  skipped: "–",
};

/** What people read of a file that ended so: a business error is a failure of what was asked for, not of the application. */
export function wordOf({ status, error }: Pick<TestFileResult, "status" | "error">): string {
  return status === "failed" && error?.code === "rejected" ? "rejected" : status;
}

/** What is said of a file that failed, was flaky or was skipped, below its line. */
export function reasonLines(result: TestFileResult, style: Style, columns: number): string[] {
  const { error, reason, divergence, status, tries } = result;
  if (status === "skipped") return reason === undefined ? [] : [style.dim(oneLine(reason))];
  if (status === "passed") return changedLines(changedIn(tries)).map(style.warn);
  const failed = status === "flaky" ? tries.findLast((one) => one.status === "failed")?.error : error;
  const last = tries.at(-1);
  return [
    ...(status === "flaky" ? [style.warn(`failed, then passed at try ${tries.length}`)] : []),
    ...(failed ? errorLines(failed, style, columns) : []),
    ...(divergence
      ? [
        style.dim("first divergence, failing (-) and passing (+) try:"),
        ...diffLines(divergence, style, columns),
      ]
      : []),
    ...(last && status === "failed" ? [style.dim(`run ${last.folder}`)] : []),
  ];
}

/** The end of a report for people: what is not as it should be once more, and how many there were of each. */
export function endingLines(summary: TestSummary, style: Style, columns: number): string[] {
  const { files, counts, duration_ms, workers, shard, interrupted, exit } = summary;
  const wrong = files.filter(({ status, tries }) =>
    status === "failed" || status === "flaky" || changedIn(tries).length > 0
  );
  const reported = wrong.flatMap((file) => [
    `${painted(file.status, `${SIGN[file.status]} ${wordOf(file)}`, style)}  ${
      style.bold(oneLine(file.id))
    }  ${oneLine(file.name)}`,
    ...reasonLines(file, style, columns - 4).map((line) => `    ${line}`),
  ]);
  const parts = (["failed", "flaky", "passed", "skipped"] as const)
    .filter((status) => counts[status] > 0 || (status === "passed" && files.length === 0))
    .map((status) => painted(status, `${counts[status]} ${status}`, style));
  const of = shard ? [`shard ${shard.index} of ${shard.total}`] : [];
  const last = [
    `${parts.join(", ")} in ${duration(duration_ms)}`,
    count(workers, "worker"),
    ...of,
    ...(interrupted ? [style.warn("interrupted")] : []),
    ...(exit === 0 ? [] : [`exit ${exit}`]),
  ].join(style.dim(" · "));
  return [...(reported.length > 0 ? ["", ...reported] : []), "", last];
}
