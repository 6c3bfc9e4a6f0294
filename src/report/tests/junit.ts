import { hostname } from "node:os";
import { join } from "node:path";
import type { ErrorJson } from "../../base/error.ts";
import { isMap } from "../../base/json.ts";
import type { StepResult } from "../../contract/events.ts";
import { changedLines } from "../changed.ts";
import { diffLines } from "../diff.ts";
import { errorLines } from "../error.ts";
import type { Reporter, ReporterOptions, TestFileResult, TestSummary, TestTryResult } from "../reporter.ts";
import { harmless, PLAIN } from "../style.ts";
import { writeReport } from "./write.ts";

/** JUnit's XML as Jenkins, GitLab and others read it, in `junit.xml`. */
export function junitReporter({ output, path = join(output, "junit.xml") }: ReporterOptions): Reporter {
  return {
    event() {},
    finish(summary) {
      writeReport(path, junit(summary));
      return Promise.resolve();
    },
  };
}

/**
 * A suite a file, with one case: a file passes or fails as a whole, since what it did is rolled back as a whole. Its steps are
 * in `system-out`, tries that failed before in `rerunFailure` and `flakyFailure`, as Surefire writes them.
 */
export function junit({ files, counts, duration_ms }: TestSummary, host: string = hostname()): string {
  const errors = files.filter(isError).length;
  const root = attributes({
    name: "backstep",
    tests: files.length,
    failures: counts.failed - errors,
    errors,
    time: seconds(duration_ms),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${root}>`,
    ...files.map((file) => suite(file, host)),
    "</testsuites>",
    "",
  ].join("\n");
}

/** It could not be read, or never came to an end: an error, where an assertion that does not hold is a failure. */
function isError({ status, tries }: TestFileResult): boolean {
  return status === "failed" && tries.at(-1)?.result === undefined;
}

function suite(file: TestFileResult, host: string): string {
  const { id, name, status, tags, duration_ms, tries, project, properties: own = {} } = file;
  const error = isError(file);
  const first = tries[0];
  const head = attributes({
    name: id,
    tests: 1,
    failures: status === "failed" && !error ? 1 : 0,
    errors: error ? 1 : 0,
    skipped: status === "skipped" ? 1 : 0,
    time: seconds(duration_ms),
    hostname: host,
    file: file.file,
    ...(first ? { timestamp: new Date(first.began).toISOString().slice(0, 19) } : {}),
  });
  const properties = [
    ["status", status],
    ...rejections(tries),
    ...(project === undefined ? [] : [["project", project]]),
    ...Object.entries(own),
    ...tags.map((tag) => ["tag", tag]),
    ...tries.map((one) => ["run", one.folder]),
    ...(file.error ? suggested(file.error) : []),
  ];
  return [
    `  <testsuite${head}>`,
    "    <properties>",
    ...properties.map(([key = "", value = ""]) => `      <property${attributes({ name: key, value })}/>`),
    "    </properties>",
    `    <testcase${attributes({ name, classname: id, time: seconds(duration_ms) })}>`,
    ...outcome(file).map((line) => `      ${line}`),
    "    </testcase>",
    "  </testsuite>",
  ].join("\n");
}

/** What a locator that found nothing may have meant, and the patch that was written. */
function suggested({ details }: ErrorJson): [name: string, value: string][] {
  const suggestion = details?.["suggestion"];
  if (!isMap(suggestion)) return [];
  const { to, patch } = suggestion;
  return [
    ...(typeof to === "string" ? [["suggestion", to] as [string, string]] : []),
    ...(typeof patch === "string" ? [["patch", patch] as [string, string]] : []),
  ];
}

/** The reason of a business error, as its last try ended. */
function rejections(tries: readonly TestTryResult[]): [name: string, value: string][] {
  const reason = tries.at(-1)?.result?.rejected;
  return reason === undefined ? [] : [["rejected", reason]];
}

function outcome(file: TestFileResult): string[] {
  const { status, tries, reason, error, divergence } = file;
  if (status === "skipped") return [`<skipped${attributes({ message: reason ?? "" })}/>`];
  const earlier = tries.slice(0, -1).map((one) => {
    const element = status === "flaky" ? "flakyFailure" : "rerunFailure";
    const text = [...linesOf(one.error), ...(divergence ? diffLines(divergence, PLAIN, 200) : [])];
    return failure(element, one.error, text);
  });
  const last = status === "failed"
    ? [failure(isError(file) ? "error" : "failure", error, linesOf(error))]
    : [];
  const printed = tries.flatMap((one) => one.printed === undefined ? [] : [one.printed]).join("");
  return [
    ...last,
    ...earlier,
    ...(tries.length === 0
      ? []
      : [`<system-out>${escaped(tries.flatMap(stepLines).join("\n"))}</system-out>`]),
    ...(printed === "" ? [] : [`<system-err>${escaped(printed)}</system-err>`]),
  ];
}

function failure(element: string, error: ErrorJson | undefined, lines: readonly string[]): string {
  const head = attributes({ message: error?.message ?? "", type: error?.code ?? "internal" });
  return `<${element}${head}>${escaped(lines.join("\n"))}</${element}>`;
}

function linesOf(error: ErrorJson | undefined): string[] {
  return error ? errorLines(error, PLAIN) : [];
}

function stepLines({ attempt, result, run }: TestTryResult): string[] {
  const head = `try ${attempt}, run ${run}`;
  if (!result) return [head, "it never ended"];
  const { verdict } = result.rollback;
  return [
    head,
    ...result.steps.map(stepLine),
    ...(verdict === "none" ? [] : [`rollback: ${verdict}`]),
    ...changedLines(result.changed_afterwards ?? []),
  ];
}

function stepLine({ path, name, status, duration_ms, error }: StepResult): string {
  const why = error ? `: ${error.message}` : "";
  return `${status.padEnd(7)} ${path.padEnd(8)} ${name} (${Math.round(duration_ms)} ms)${why}`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values).map(([name, value]) => ` ${name}="${quoted(String(value))}"`).join("");
}

function quoted(text: string): string {
  return escaped(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

/** Text of applications may hold what XML has no place for at all, and what turns a viewer's text round: it is seen. */
function escaped(text: string): string {
  return harmless(text.toWellFormed())
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}
