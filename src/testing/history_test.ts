import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dirname } from "node:path";
import { mkdirSync } from "node:fs";
import type { TestFileResult, TestSummary } from "../report/reporter.ts";
import { summaryOf, tried } from "../report/tests/_events.ts";
import { historyFile, keepHistory, readHistory } from "./history.ts";

function within(action: (file: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "bst-"));
  try {
    action(historyFile(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const kept = (file: string, files: readonly TestFileResult[]) => {
  const summary: TestSummary = summaryOf(files);
  keepHistory(file, summary);
  return Object.fromEntries(readHistory(file));
};

Deno.test("how long a file took and what became of it is kept, beside what is known of others", () => {
  within((file) => {
    assert.deepEqual(readHistory(file), new Map());
    kept(file, [
      tried("a.yaml", "passed", { duration_ms: 12.4 }),
      tried("b.yaml", "failed", { duration_ms: 5 }),
    ]);
    assert.deepEqual(kept(file, [tried("b.yaml", "flaky", { duration_ms: 7 })]), {
      "a.yaml": { duration_ms: 12, status: "passed" },
      "b.yaml": { duration_ms: 7, status: "flaky" },
    });
  });
});

Deno.test("of a file that is repeated, one failure is a failure", () => {
  within((file) => {
    const again = { ...tried("a.yaml", "passed"), id: "a.yaml#2" };
    assert.equal(kept(file, [tried("a.yaml", "failed"), again])["a.yaml"]?.status, "failed");
  });
});

Deno.test("what was skipped or interrupted says nothing new", () => {
  within((file) => {
    kept(file, [tried("a.yaml", "failed")]);
    const skipped: TestFileResult = { ...tried("a.yaml", "skipped"), tries: [] };
    assert.equal(kept(file, [skipped])["a.yaml"]?.status, "failed");
  });
});

Deno.test("a damaged file, or one of another version, is as none", () => {
  within((file) => {
    mkdirSync(dirname(file));
    for (const text of ["{", "[]", '{"version":2,"files":{}}']) {
      writeFileSync(file, text);
      assert.equal(readHistory(file).size, 0, text);
    }
    kept(file, [tried("a.yaml", "passed")]);
    assert.match(readFileSync(file, "utf8"), /"version": 1/);
    assert.ok(existsSync(file));
  });
});
