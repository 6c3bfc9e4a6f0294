import assert from "node:assert/strict";
import type { TestEvent, TestSummary } from "../report/reporter.ts";
import { eventsOf, FILES, summaryOf, tried } from "../report/tests/_events.ts";
import { mergeReports } from "./merge.ts";

function shard(index: number, files: typeof FILES, more: Partial<TestSummary> = {}) {
  const summary = summaryOf(files, { shard: { index, total: 2 }, ...more });
  return { file: `blob-${index}-of-2.jsonl`, events: eventsOf(summary), summary };
}

Deno.test("shards are told as one test run: all files first, workers with numbers of their own, counts added up", async () => {
  const reported: TestEvent[] = [];
  let finished: TestSummary | undefined;
  const merged = await mergeReports([
    shard(2, [tried("w/z.yaml", "passed")], { workers: 3 }),
    shard(1, FILES),
  ], {
    event: (event) => reported.push(event),
    finish(summary) {
      finished = summary;
      return Promise.resolve();
    },
  });
  assert.equal(finished, merged);
  const [first] = reported;
  assert.ok(first?.event === "tests-started" && first.files.length === 5 && first.workers === 5);
  assert.equal(reported.filter(({ event }) => event === "tests-started").length, 1);
  assert.equal(reported.filter(({ event }) => event === "file-finished").length, 5);
  const workers = reported.flatMap((one) => one.event === "try-started" ? [`${one.file} ${one.worker}`] : []);
  assert.deepEqual(workers.slice(0, 2), ["w/z.yaml 1", "w/a.yaml 4"]);
  assert.deepEqual(merged.counts, { passed: 2, failed: 1, flaky: 1, skipped: 1 });
  assert.equal(merged.exit, 1);
  assert.deepEqual(merged.files.map(({ id }) => id), [
    "w/a.yaml",
    "w/b.yaml",
    "w/c.yaml",
    "w/d.yaml",
    "w/z.yaml",
  ]);
});

Deno.test("a shard that is missing, and a file that is in two, are refused by name", async () => {
  const nobody = { event() {}, finish: () => Promise.resolve() };
  await assert.rejects(mergeReports([shard(1, FILES)], nobody), {
    code: "usage",
    message: /shard 2 of 2 is missing/,
  });
  await assert.rejects(mergeReports([shard(1, FILES), shard(2, FILES)], nobody), {
    code: "usage",
    message: /both hold w\/a\.yaml/,
  });
});

Deno.test("an interrupted shard makes it 130, unless something graver is left", async () => {
  const nobody = { event() {}, finish: () => Promise.resolve() };
  const second = shard(2, [], { interrupted: true, exit: 130 });
  assert.equal((await mergeReports([shard(1, FILES), second], nobody)).exit, 130);
  assert.equal((await mergeReports([shard(1, FILES, { exit: 3 }), second], nobody)).exit, 3);
});
