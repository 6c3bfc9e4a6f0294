import { appendFileSync } from "node:fs";
import process from "node:process";
import { BackstepError, type ErrorJson } from "../../base/error.ts";
import { changedIn, changedLines } from "../changed.ts";
import { diffLines } from "../diff.ts";
import type { Reporter, TestFileResult, TestSummary } from "../reporter.ts";
import { duration, PLAIN } from "../style.ts";

/**
 * Annotations for GitHub Actions: an error for each file that failed, a warning for each flaky one, at its line. Where
 * GITHUB_STEP_SUMMARY names a file, a table goes there.
 */
export function githubReporter(
  write: (text: string) => void,
  summaryFile: string | undefined = process.env["GITHUB_STEP_SUMMARY"],
): Reporter {
  return {
    event(event) {
      if (event.event === "file-finished") {
        for (const line of annotations(event.result)) {
          write(`${line}\n`);
        }
      }
    },
    finish(summary) {
      if (!summaryFile) return Promise.resolve();
      try {
        appendFileSync(summaryFile, stepSummary(summary));
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new BackstepError("io", `Cannot write ${summaryFile}: ${why}`, { cause });
      }
      return Promise.resolve();
    },
  };
}

function annotations(result: TestFileResult): string[] {
  const { status, id, name, tries, error, divergence, file } = result;
  const changed = changedLines(changedIn(tries));
  if (status === "skipped" || (status === "passed" && changed.length === 0)) return [];
  const shown = status === "flaky" ? tries.findLast((one) => one.status === "failed")?.error : error;
  const kind = status === "failed" ? "error" : "warning";
  const { file: path, line, column } = shown?.place ?? { file, line: 1, column: 1 };
  const parts = [
    ...(status === "flaky" ? [`Flaky: failed, then passed at try ${tries.length}.`] : []),
    ...(status === "passed" ? [] : [shown?.message ?? "It failed."]),
    ...changed,
    ...(shown?.hint === undefined ? [] : [shown.hint]),
    ...(divergence ? diffLines(divergence, PLAIN, 200) : []),
  ];
  const title = property(`${id}: ${name}`);
  return [
    `::${kind} file=${property(path)},line=${line},col=${column},title=${title}::${data(parts.join("\n"))}`,
  ];
}

/** As GitHub's workflow commands have it. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

const MARK = { passed: "✅", failed: "❌", flaky: "⚠️", skipped: "⏭️" } as const;

function stepSummary({ files, counts, duration_ms, shard }: TestSummary): string {
  const part = shard ? `, shard ${shard.index} of ${shard.total}` : "";
  const numbers = Object.entries(counts).filter(([, n]) => n > 0).map(([word, n]) => `${n} ${word}`).join(
    ", ",
  );
  return [
    `### Backstep: ${numbers || "nothing to run"} in ${duration(duration_ms)}${part}`,
    "",
    "| | file | | time | |",
    "|---|---|---|---|---|",
    ...files.map(({ status, id, name, duration_ms: took, error, reason }) =>
      `| ${MARK[status]} | ${cell(id)} | ${cell(name)} | ${duration(took)} | ${cell(said(error, reason))} |`
    ),
    "",
    "",
  ].join("\n");
}

function said(error: ErrorJson | undefined, reason: string | undefined): string {
  return (error?.message ?? reason ?? "").slice(0, 300);
}

/** Text of applications, as text in a table of Markdown. */
function cell(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|~#@]/g, (c) => `&#${c.charCodeAt(0)};`).replaceAll(/\s+/g, " ");
}
