import { defined } from "../base/defined.ts";
import { BackstepError } from "../base/error.ts";
import type { Blob } from "../report/tests/blob.ts";
import type { Reporter, TestFile, TestSummary } from "../report/reporter.ts";
import { countsOf } from "./judge.ts";

/**
 * Tells reporters what several shards were told, as if it were one test run: shard after shard, all files at the start. Throws
 * `usage` when a file is in two of them, or when a shard is missing.
 */
export async function mergeReports(blobs: readonly Blob[], reporter: Reporter): Promise<TestSummary> {
  const summaries = blobs.map(({ summary }) => summary);
  checkShards(blobs);
  const files = summaries.flatMap((one) => one.files).sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  const began = Math.min(...summaries.map((one) => one.began));
  const workers = summaries.reduce((sum, one) => sum + one.workers, 0);
  reporter.event({
    event: "tests-started",
    files: files.map(testFileOf),
    workers,
    at: began,
  });
  // Every shard counts its workers from one; here each worker has a number of its own.
  let before = 0;
  for (const { events, summary } of blobs) {
    for (const event of events) {
      if (event.event === "try-started" || event.event === "run") {
        reporter.event({ ...event, worker: event.worker + before });
      } else if (event.event !== "tests-started") reporter.event(event);
    }
    before += summary.workers;
  }
  const gravest = Math.max(...summaries.map((one) => one.exit === 130 ? 0 : one.exit));
  const interrupted = summaries.some((one) => one.interrupted);
  const merged: TestSummary = {
    files,
    counts: countsOf(files),
    // They ran side by side.
    duration_ms: Math.max(...summaries.map((one) => one.duration_ms)),
    began,
    workers,
    exit: interrupted && gravest < 3 ? 130 : gravest,
    interrupted,
  };
  await reporter.finish(merged);
  return merged;
}

function testFileOf(
  { id, file, name, tags, case: one, project, role, properties }: TestFile,
): TestFile {
  return { id, file, name, tags, ...defined({ case: one, project, role, properties }) };
}

function checkShards(blobs: readonly Blob[]): void {
  const seen = new Map<string, string>();
  for (const { file, summary } of blobs) {
    for (const { id } of summary.files) {
      const other = seen.get(id);
      if (other !== undefined) {
        throw new BackstepError("usage", `Cannot merge ${other} and ${file}: both hold ${id}`, {
          hint: "Merge the shards of one test run, each once.",
        });
      }
      seen.set(id, file);
    }
  }
  const total = blobs.find(({ summary }) => summary.shard)?.summary.shard?.total ?? 0;
  const there = new Set(blobs.map(({ summary }) => summary.shard?.index));
  const missing = Array.from({ length: total }, (_, i) => i + 1).filter((index) => !there.has(index));
  if (missing.length === 0) return;
  throw new BackstepError(
    "usage",
    `Cannot merge the reports: shard ${missing.join(", ")} of ${total} is missing`,
    {
      hint: "Collect the files of all shards in one folder.",
    },
  );
}
