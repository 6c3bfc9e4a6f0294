import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reporter, TestEvent } from "../reporter.ts";
import { PLAIN } from "../style.ts";
import { eventsOf, FILES, summaryOf, tried } from "./_events.ts";
import { blobReporter, readBlobs } from "./blob.ts";
import { githubReporter } from "./github.ts";
import { jsonReporter } from "./json.ts";
import { junit } from "./junit.ts";
import { makeReporters, together } from "./reporters.ts";

const summary = summaryOf(FILES);

async function within(action: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bst-"));
  try {
    await action(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function report(reporter: Reporter, what = summary): Promise<void> {
  for (const event of eventsOf(what)) reporter.event(event);
  await reporter.finish(what);
}

const output = { write() {}, terminal: false, live: false, columns: 80 };

Deno.test("json: the whole summary, in a folder that is made", () =>
  within(async (folder) => {
    await report(jsonReporter({ output: join(folder, "a/b") }));
    const read: unknown = JSON.parse(readFileSync(join(folder, "a/b/results.json"), "utf8"));
    assert.deepEqual(read, JSON.parse(JSON.stringify({ version: 1, ...summary })));
    assert.deepEqual(readdirSync(join(folder, "a/b")), ["results.json"]);
  }));

Deno.test("junit: a suite a file, its steps and its tries, and nothing that XML has no place for", () => {
  const xml = junit(summary, "host");
  assert.match(xml, /<testsuites name="backstep" tests="4" failures="1" errors="0" time="4\.321">/);
  assert.match(
    xml,
    /<testsuite name="w\/b\.yaml" tests="1" failures="1" errors="0" skipped="0" time="1\.234" hostname="host"/,
  );
  assert.match(xml, /<failure message="Cannot confirm button\[name=&quot;&lt;Save&gt; &amp; \]\]&gt;\\u\{/);
  assert.match(xml, /<flakyFailure message=[^]*&quot;|Gracie[^]*<\/flakyFailure>/);
  assert.match(xml, /<skipped message="not installed: kate"\/>/);
  assert.match(xml, /<system-out>try 1, run [^<]*\npassed +1 +click button "1" \(12 ms\)/);
  // deno-lint-ignore no-control-regex -- that is what must not be there
  assert.doesNotMatch(xml, /[\x00-\x08\x0b-\x1f]/);
});

Deno.test("junit: what never came to an end is an error, not a failure", () => {
  const lost = tried("w/x.yaml", "failed");
  const tries = lost.tries.map(({ result: _, ...rest }) => ({ ...rest, printed: "last <words>" }));
  const xml = junit(summaryOf([{ ...lost, tries }]), "host");
  assert.match(xml, /failures="0" errors="1"[^]*<error message="Cannot confirm[^]*it never ended/);
  assert.match(xml, /<system-err>last &lt;words&gt;<\/system-err>/);
});

Deno.test("github: a table in the step's summary, in which text of applications is text", () =>
  within(async (folder) => {
    const file = join(folder, "summary.md");
    writeFileSync(file, "before\n");
    await report(githubReporter(() => {}, file));
    const text = readFileSync(file, "utf8");
    assert.match(text, /^before\n### Backstep: 1 passed, 1 failed, 1 flaky, 1 skipped in 4\.3 s\n/);
    assert.match(
      text,
      /\| ❌ \| w\/b\.yaml \| The name of w\/b\.yaml \| 1\.2 s \| Cannot confirm button&#91;name/,
    );
    assert.equal(text.split("\n").filter((line) => line.startsWith("|")).length, 6);
  }));

Deno.test("blob: what was told comes back as it was", () =>
  within(async (folder) => {
    const shard = { index: 2, total: 3 };
    await report(blobReporter({ output: folder }), { ...summary, shard });
    const [blob] = readBlobs(folder);
    assert.equal(blob?.file, join(folder, "blob-2-of-3.jsonl"));
    const events: readonly TestEvent[] = eventsOf({ ...summary, shard });
    assert.deepEqual(blob?.events, JSON.parse(JSON.stringify(events)));
    assert.deepEqual(blob?.summary, JSON.parse(JSON.stringify({ ...summary, shard })));
  }));

Deno.test("blob: one without an end, or with a line that is none, is refused by name", () =>
  within(async (folder) => {
    assert.throws(() => readBlobs(folder), { code: "usage", message: /holds no \*\.jsonl/ });
    const reporter = blobReporter({ output: folder });
    for (const event of eventsOf(summary)) reporter.event(event);
    assert.throws(() => readBlobs(folder), { code: "usage", message: /blob\.jsonl: it has no end/ });
    await reporter.finish(summary);
    const file = join(folder, "blob.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -5));
    assert.throws(() => readBlobs(folder), { code: "usage", message: /line \d+ is no part of a report/ });
  }));

Deno.test("reporters are made by name, with the file that is asked for", () =>
  within(async (folder) => {
    const file = join(folder, "x/y.xml");
    const made = await makeReporters(["dot", `junit=${file}`, "json"], {
      terminal: output,
      style: PLAIN,
      output: folder,
    });
    await report(together(made));
    assert.ok(existsSync(file) && existsSync(join(folder, "results.json")));
  }));

Deno.test("a reporter that is not there, or is given a path it has no use for, is a usage error", async () => {
  const means = { terminal: output, style: PLAIN, output: "/nowhere" };
  for (
    const [word, hint] of [["junti", /Did you mean junit/], ["list=x", /writes no file|json, junit/], [
      "json=",
      /junit=/,
    ]] as const
  ) {
    await assert.rejects(makeReporters([word], means), { code: "usage", hint });
  }
});

Deno.test("one reporter that cannot write keeps no other from it", () =>
  within(async (folder) => {
    writeFileSync(join(folder, "file"), "");
    const bad = await makeReporters([`json=${folder}/file/x.json`, "junit"], {
      terminal: output,
      style: PLAIN,
      output: folder,
    });
    await assert.rejects(report(together(bad)), { code: "io" });
    assert.ok(existsSync(join(folder, "junit.xml")));
  }));
