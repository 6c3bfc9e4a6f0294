import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { actionEntry, END, runEntry } from "./_records.ts";
import { Journal, runFolder } from "./journal.ts";
import { lockRun } from "./lock.ts";
import { neededDesktops } from "./needed-desktops.ts";
import { journalFile } from "./read-journal.ts";
import type { JournalEntry } from "./records/mod.ts";

/** The journals of runs, each on the private desktop of its name. */
function withRuns(
  runs: Readonly<Record<string, readonly JournalEntry[]>>,
  use: (state: string) => void,
): void {
  const state = mkdtempSync(join(tmpdir(), "backstep-needed-"));
  try {
    for (const [run, entries] of Object.entries(runs)) {
      const journal = Journal.create(state, run);
      const head = runEntry(run);
      assert.equal(head.kind, "run");
      journal.write({ ...head, desktop: { ...head.desktop, kind: "isolated", id: `desk${run}` } });
      for (const entry of entries) journal.write(entry);
      journal.close();
    }
    use(state);
  } finally {
    rmSync(state, { recursive: true });
  }
}

const REBUILT: JournalEntry = { kind: "rebuilt", desktop: { kind: "isolated", id: "another" } };
const SETTLED: JournalEntry = { kind: "settled", path: "1" };

Deno.test("a run that was cut off needs its desktop, and one that has ended or answered all does not", () =>
  withRuns({
    begun: [],
    cut: [actionEntry("1")],
    finished: [actionEntry("1"), END],
    answered: [actionEntry("1"), SETTLED],
    next: [actionEntry("1"), SETTLED, actionEntry("2")],
  }, (state) => {
    const needed = neededDesktops(state);
    assert.deepEqual([...needed.keys()].sort(), ["deskbegun", "deskcut", "desknext"]);
    assert.equal(needed.get("deskcut"), runFolder(state, "cut"));
  }));

Deno.test("a run that a living process is at needs its desktop, whatever it has answered", () =>
  withRuns({ answered: [SETTLED] }, (state) => {
    const unlock = lockRun(state, "answered");
    assert.deepEqual([...neededDesktops(state).keys()], ["deskanswered"]);
    unlock();
    assert.deepEqual([...neededDesktops(state).keys()], []);
  }));

Deno.test("of a desktop that was rebuilt both are needed: the first may be there yet", () =>
  withRuns({ cut: [REBUILT, actionEntry("1")] }, (state) => {
    assert.deepEqual([...neededDesktops(state).keys()].sort(), ["another", "deskcut"]);
  }));

Deno.test("of a journal with a broken line counts what stands before it", () =>
  withRuns({ broken: [actionEntry("1")] }, (state) => {
    appendFileSync(journalFile(runFolder(state, "broken")), "not a line\nat all\n");
    assert.deepEqual([...neededDesktops(state).keys()], ["deskbroken"]);
    mkdirSync(runFolder(state, "empty"));
    mkdirSync(runFolder(state, "garbage"));
    writeFileSync(journalFile(runFolder(state, "garbage")), "not a journal\nat all\n");
    assert.deepEqual([...neededDesktops(state).keys()], ["deskbroken"]);
    assert.deepEqual([...neededDesktops(join(state, "nowhere")).keys()], []);
  }));
