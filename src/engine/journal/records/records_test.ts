import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { END, runEntry } from "../_records.ts";
import { Journal, readJournal } from "../journal.ts";
import type { JournalEntry } from "./mod.ts";
import { otherNames } from "./names.ts";
import { onDisk, parseRecord } from "./parse.ts";

const WHERE = { file: "journal.jsonl", line: 3 };

Deno.test("what is written is read back, with the names of the model, and shown with those of the disk", () => {
  const state = mkdtempSync(`${tmpdir()}/backstep-records-`);
  try {
    const journal = Journal.create(state, "r");
    const entries: JournalEntry[] = [
      runEntry("r"),
      { kind: "begin", path: "1", name: "form", attempt: 1, in: "" },
      {
        kind: "action-begin",
        path: "1.1",
        operation: "click",
        effect: "irreversible",
        undoLog: "1",
        passable: true,
        encrypted: "AAAA",
      },
      {
        kind: "action-end",
        path: "1.1",
        begin: 3,
        operation: "click",
        outcome: "unknown",
        error: { code: "timeout", message: "Cannot click", details: { outcome: "unknown" } },
        unread: ["text of textfield"],
      },
      { kind: "undone", path: "1.1", begin: 3, what: "deed click", verdict: "unrestorable" },
      { kind: "gone", path: "1.1", begin: 3, images: [[3, 0]] },
      { kind: "withheld", path: "1.1", elements: [[":1.7", "/a/b"]] },
      END,
    ];
    for (const entry of entries) journal.write(entry);
    journal.close();
    const records = readJournal(journal.folder);
    assert.deepEqual(records.map(({ n: _, at: __, ...entry }) => entry), entries);
    const [, , begin, end, undone] = records.map(onDisk);
    assert.deepEqual([begin?.kind, begin?.["ledger"], begin?.["sealed"]], ["intent", "1", "AAAA"]);
    assert.deepEqual([end?.kind, end?.["intent"], undone?.["intent"]], ["outcome", 3, 3]);
    assert.deepEqual(Object.keys(begin ?? {}), [
      "n",
      "at",
      "kind",
      "path",
      "operation",
      "effect",
      "ledger",
      "passable",
      "sealed",
    ]);
  } finally {
    rmSync(state, { recursive: true });
  }
});

Deno.test("the names of the model and of the disk are each other's", () => {
  const line = { kind: "intent", ledger: "", sealed: "AAAA", intent: 3, before: [], after: [], path: "1" };
  assert.deepEqual(otherNames(line), {
    kind: "action-begin",
    undoLog: "",
    encrypted: "AAAA",
    begin: 3,
    beforeImages: [],
    afterImages: [],
    path: "1",
  });
  assert.deepEqual(otherNames(otherNames(line)), line);
});

Deno.test("an error says the line, the field as the disk calls it, and what was there", () => {
  const line = { n: 3, at: 1, kind: "undone", path: "1", intent: -1, what: "text", verdict: "restored" };
  const said = (changed: Parameters<typeof parseRecord>[0]) => {
    try {
      return parseRecord(changed, WHERE).kind;
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message.replace("Cannot read journal.jsonl: line 3: ", "") : "";
    }
  };
  assert.equal(said({ ...line, intent: 2 }), "undone");
  assert.equal(said(line), "intent of its undone record is -1");
  assert.equal(said({ ...line, intent: "2" }), 'intent of its undone record is "2", not a number');
  assert.match(
    said({ ...line, intent: 2, verdict: "fine" }),
    /^verdict of its undone record is "fine", not "restored" or/,
  );
  assert.match(
    said({ ...line, intent: 2, more: 1 }),
    /^its undone record has the field more, which is not known$/,
  );
  assert.equal(
    said({ n: 3, at: 1, kind: "chose", path: "1", what: "if" }),
    "value of its chose record is missing, not true or false",
  );
  assert.equal(said(["n", 3]), "it is no record");
  assert.equal(said({ n: 3, at: 1 }), "no record of the kind null is known");
  assert.match(
    said({ ...line, intent: 2, what: ["x".repeat(500)] }),
    /^what of its undone record is .{80}, not a string$/,
  );
});

Deno.test("a record that lacks a field or has a wrong one cannot be written", () => {
  const wrong = (journal: Journal) => {
    // @ts-expect-error: a path is missing
    journal.write({ kind: "settled" });
    // @ts-expect-error: it is no verdict
    journal.write({ kind: "rolled-back", path: "", verdict: "fine" });
    // @ts-expect-error: the disk calls it so, the model does not
    journal.write({ kind: "undoing", path: "1", intent: 2, what: "text" });
    // @ts-expect-error: the first record of a new journal has a version
    journal.write({ ...runEntry("r"), kind: "run", version: undefined });
    // @ts-expect-error: there is no such kind
    journal.write({ kind: "intent", path: "1" });
  };
  assert.equal(typeof wrong, "function");
});
