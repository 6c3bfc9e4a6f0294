import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import type { TestSummary } from "../report/reporter.ts";

const Entry = z.object({
  /** Milliseconds of the try that counted. */
  duration_ms: z.number().nonnegative(),
  status: z.enum(["passed", "failed", "flaky"]),
});
const History = z.object({ version: z.literal(1), files: z.record(z.string(), Entry) });

/** What became of each file, or of each of its cases, the last time it ran, by `historyKey`. */
export type History = ReadonlyMap<string, Readonly<z.infer<typeof Entry>>>;

/** The path that a file is shown with, its project before and its case behind, in brackets: "[dark] order.yaml [Ada]". */
export function historyKey(file: string, one?: string, project?: string): string {
  return `${project === undefined ? "" : `[${project}] `}${file}${one === undefined ? "" : ` [${one}]`}`;
}

/** Where that is kept: `.backstep/test-results.json` in the folder that test runs begin in. */
export function historyFile(folder: string): string {
  return join(folder, ".backstep", "test-results.json");
}

/** What is kept; nothing where there is none, or it is of another version: it only makes things faster. */
export function readHistory(file: string): History {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw inaccessible("read", file, error);
  }
  const parsed = z.string().transform(toJson).pipe(History).safeParse(text);
  return new Map(parsed.success ? Object.entries(parsed.data.files) : []);
}

/** Keeps what became of the files of a test run, beside what is known of others. Throws `io`. */
export function keepHistory(file: string, { files }: TestSummary): void {
  const existing = new Map(readHistory(file));
  const failed = new Set<string>();
  for (const { file: path, case: one, project, status, tries } of files) {
    const key = historyKey(path, one, project);
    const last = tries.at(-1);
    // Of a file that is repeated, one failure is a failure.
    if (status === "skipped" || last === undefined || last.status === "cancelled" || failed.has(key)) {
      continue;
    }
    if (status === "failed") failed.add(key);
    existing.set(key, { duration_ms: Math.round(last.duration_ms), status });
  }
  const sorted = [...existing].sort(([a], [b]) => a < b ? -1 : 1);
  const text = `${JSON.stringify({ version: 1, files: Object.fromEntries(sorted) }, null, 1)}\n`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch (error) {
    throw inaccessible("write", file, error);
  }
}

function toJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "it is no JSON" });
    return z.NEVER;
  }
}

function inaccessible(doing: string, file: string, cause: unknown): BackstepError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new BackstepError("io", `Cannot ${doing} ${file}: ${why}`, { cause });
}
