import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settings, trial } from "../run/_trial.ts";
import { END, runEntry } from "./_records.ts";
import { Journal, runFolder } from "./journal.ts";
import { KEPT_RUNS, pruneRuns } from "./prune.ts";
import { Encryption } from "./encryption.ts";

/** A run of the past; `age` in seconds. */
function pastRun(state: string, id: string, age: number, finished = true): void {
  const journal = Journal.create(state, id);
  Encryption.create(state, id);
  journal.write(runEntry(id));
  if (finished) journal.write(END);
  journal.close();
  const time = Date.now() / 1_000 - age;
  utimesSync(join(journal.folder, "journal.jsonl"), time, time);
}

function withState(test: (state: string) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const state = mkdtempSync(join(tmpdir(), "backstep-prune-"));
    try {
      await test(state);
    } finally {
      rmSync(state, { recursive: true });
    }
  };
}

Deno.test(
  "the newest ended runs are kept, older ones go with their keys, and an open one never does",
  withState((state) => {
    pastRun(state, "open", 9_000, false);
    for (const n of [1, 2, 3, 4]) pastRun(state, `run-${n}`, n * 100);
    pastRun(state, "broken", 8_000);
    writeFileSync(join(runFolder(state, "broken"), "journal.jsonl"), "???\n!!!\n");
    writeFileSync(join(state, "runs", "stray"), "no folder");
    assert.deepEqual(pruneRuns(state, 2), ["run-3", "run-4"]);
    assert.deepEqual(readdirSync(join(state, "runs")).sort(), ["broken", "open", "run-1", "run-2", "stray"]);
    assert.deepEqual(readdirSync(join(state, "keys")).sort(), ["broken", "open", "run-1", "run-2"]);
    assert.deepEqual(pruneRuns(state, 2), []);
  }),
);

Deno.test(
  "where nothing ran yet there is nothing to remove",
  withState((state) => {
    assert.deepEqual(pruneRuns(state), []);
  }),
);

Deno.test(
  "a new run removes the old ones at its start",
  withState(async (state) => {
    for (let n = 0; n < KEPT_RUNS + 2; n++) pastRun(state, `old-${n}`, 1_000 + n);
    await trial(settings(`  - value: spinbutton`), { state }, ({ folder }) => {
      assert.equal(readdirSync(join(state, "runs")).length, KEPT_RUNS + 1);
      assert.ok(existsSync(folder));
      assert.ok(!existsSync(runFolder(state, `old-${KEPT_RUNS}`)));
    });
  }),
);
