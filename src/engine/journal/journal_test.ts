import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { moduleAt, toRun } from "../../base/_child.ts";
import { BackstepError } from "../../base/error.ts";
import { FAILS, settings, trial } from "../run/_trial.ts";
import { actionEntry, END, runEntry } from "./_records.ts";
import { isFinished, isOpenJournal, Journal, readJournal } from "./journal.ts";
import { onDisk } from "./records/parse.ts";

async function inFolder(test: (state: string) => void | Promise<void>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "backstep-journal-"));
  try {
    await test(state);
  } finally {
    rmSync(state, { recursive: true });
  }
}

function three(state: string): { readonly folder: string; readonly file: string; readonly text: string } {
  const journal = Journal.create(state, "r");
  journal.write(runEntry("r"));
  journal.write(actionEntry("1"), { sync: true });
  journal.write(END);
  journal.close();
  const file = join(journal.folder, "journal.jsonl");
  return { folder: journal.folder, file, text: readFileSync(file, "utf8") };
}

Deno.test("a journal is read back as it was written, in a folder of its owner's", () =>
  inFolder((state) => {
    const { folder, file } = three(state);
    assert.deepEqual(readJournal(folder).map(({ n, kind }) => [n, kind]), [[1, "run"], [2, "action-begin"], [
      3,
      "end",
    ]]);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(isFinished(folder), true);
    assert.equal(isOpenJournal(folder), false);
    assert.throws(() => Journal.create(state, "r"), /Cannot create the journal/);
  }));

Deno.test("a torn last line is left out, and the run counts as open", () =>
  inFolder((state) => {
    const { folder, file, text } = three(state);
    for (const cut of [1, 20, 60]) {
      writeFileSync(file, text.slice(0, -cut));
      assert.deepEqual(readJournal(folder).map((line) => line.kind), ["run", "action-begin"]);
      assert.equal(isOpenJournal(folder), true);
      assert.equal(isFinished(folder), false);
    }
  }));

Deno.test("a broken line before the last is refused with its place", () =>
  inFolder((state) => {
    const { folder, file, text } = three(state);
    const lines = text.split("\n");
    const refused = (changed: string, line: number) => {
      writeFileSync(file, changed);
      assert.throws(() => readJournal(folder), (thrown: unknown) => {
        assert.ok(thrown instanceof BackstepError);
        assert.deepEqual([thrown.code, thrown.place?.file, thrown.place?.line], ["io", file, line]);
        return true;
      });
      assert.equal(isOpenJournal(folder), true, "it may hide an open run");
    };
    refused(text.replace('"path":"1"', '"path":"2"'), 2);
    refused([lines[0], lines[2], ""].join("\n"), 2);
    refused([lines[0], lines[1], lines[1], ""].join("\n"), 3);
  }));

Deno.test("without a journal nothing is open; with another error it may be", () =>
  inFolder((state) => {
    assert.equal(isOpenJournal(join(state, "nowhere")), false);
    assert.equal(isFinished(join(state, "nowhere")), false);
    writeFileSync(join(state, "journal.jsonl"), "not a journal\nat all\n");
    assert.equal(isOpenJournal(state), true);
    appendFileSync(join(state, "journal.jsonl"), "{");
    assert.equal(isFinished(state), false);
  }));

Deno.test("a run writes what it does in order: intent, outcome, the rollback, its end", () =>
  trial(
    settings(`  - transaction:
      - set: { target: 'textfield[name="Name"]', value: Grace }
  - savepoint: filled
  - set: { target: spinbutton, value: 7 }
${FAILS}`),
    {},
    ({ folder, result }) => {
      assert.deepEqual(
        readJournal(folder).map(onDisk).map((
          line,
        ) => [line.kind, line["path"] ?? line["status"] ?? line["run"]]),
        [
          ["run", result.run],
          ["begin", "1"],
          ["intent", "1.1"],
          ["outcome", "1.1"],
          ["step", "1.1"],
          ["commit", "1"],
          ["savepoint", "2"],
          ["intent", "3"],
          ["outcome", "3"],
          ["step", "3"],
          ["step", "4"],
          ["rollback", ""],
          ["undoing", "3"],
          ["undone", "3"],
          ["undoing", "1.1"],
          ["undone", "1.1"],
          ["rolled-back", ""],
          ["end", "failed"],
        ],
      );
    },
  ));

Deno.test("the first line tells which workflow it was, wherever its lines stand", async () => {
  const digest = (yaml: string) =>
    trial(yaml, {}, ({ folder }) => {
      const [head] = readJournal(folder);
      return head?.kind === "run" ? head.digest : "";
    });
  const steps = `  - set: { target: 'textfield[name="Name"]', value: Grace }`;
  const one = await digest(settings(steps, "vars: { file: a }"));
  assert.match(String(one), /^[0-9a-f]{64}$/);
  assert.equal(await digest(settings(`\n\n${steps}`, "# moved\nvars: { file: a }")), one);
  assert.notEqual(await digest(settings(steps, "vars: { file: b }")), one);
  assert.notEqual(await digest(settings(steps.replace("Grace", "Ada"), "vars: { file: a }")), one);
});

Deno.test("an intent says that the rollback passes it, and what is rolled back names its intent", () =>
  trial(
    settings(`  - set: { target: spinbutton, value: 7 }
  - { tool: ax_click, args: { query: Apply } }
${FAILS}`),
    {},
    ({ folder }) => {
      const lines = readJournal(folder);
      const begin = lines.find((line) => line.kind === "action-begin" && line.path === "2");
      assert.ok(begin?.kind === "action-begin");
      assert.deepEqual([begin.effect, begin.passable], ["irreversible", true]);
      const undone = lines.flatMap((line) =>
        line.kind === "undone" && line.begin === begin.n ? [line.verdict] : []
      );
      assert.deepEqual(undone, ["unrestorable"]);
    },
  ));

Deno.test("the intent is written before the action: a process killed at the action leaves it, and an open journal", () =>
  inFolder(async (state) => {
    const fixture = moduleAt("../run/_trial.ts", import.meta.url);
    const source = `
      import process from "node:process";
      import { trial, settings } from ${JSON.stringify(fixture)};
      await trial(settings("  - set: { target: 'textfield[name=\\"Name\\"]', value: Grace }"), {
        state: ${JSON.stringify(state)},
        run: "killed",
        prepare: (desktop) => { desktop.act = () => { process.kill(process.pid, "SIGKILL"); return new Promise(() => {}); }; },
      }, () => {});`;
    const file = join(state, "killed.ts");
    writeFileSync(file, source);
    const child = spawn(process.execPath, toRun(file), { stdio: "ignore", timeout: 60_000 });
    const [, signal] = await once(child, "exit");
    assert.equal(signal, "SIGKILL");
    const folder = join(state, "runs", "killed");
    const lines = readJournal(folder);
    assert.deepEqual(lines.map((line) => line.kind), ["run", "action-begin"]);
    assert.ok(lines[1]?.kind === "action-begin" && lines[1].encrypted !== "", "with what was there before");
    assert.equal(isOpenJournal(folder), true);
  }));

Deno.test("an action whose intent cannot be written does not happen", async () => {
  const write = Journal.prototype.write;
  try {
    Journal.prototype.write = function (entry, options) {
      if (entry.kind === "action-begin") throw new BackstepError("io", "Cannot write: the disk is full");
      return write.call(this, entry, options);
    };
    await trial(
      settings(`  - set: { target: 'textfield[name="Name"]', value: Grace }`),
      {},
      ({ result, before, after }) => {
        assert.deepEqual([result.exit, result.error?.code], [1, "io"]);
        assert.deepEqual(after, before);
      },
    );
  } finally {
    Journal.prototype.write = write;
  }
});

Deno.test("a disk that is full on rollback does not end it", async () => {
  const write = Journal.prototype.write;
  try {
    Journal.prototype.write = function (entry, options) {
      if (entry.kind === "undone") throw new BackstepError("io", "Cannot write: the disk is full");
      return write.call(this, entry, options);
    };
    await trial(
      settings(`  - set: { target: 'textfield[name="Name"]', value: Grace }\n${FAILS}`),
      {},
      ({ result, before, after, events }) => {
        assert.equal(result.rollback.verdict, "restored");
        assert.deepEqual(after, before);
        assert.ok(events.some((e) => e.event === "note" && /disk is full/.test(e.message)));
      },
    );
  } finally {
    Journal.prototype.write = write;
  }
});

Deno.test("a journal that was cut off is written on after its last whole line", () =>
  inFolder((state) => {
    const { folder, file, text } = three(state);
    writeFileSync(file, text.slice(0, -20));
    const journal = Journal.reopen(state, "r");
    assert.equal(journal.write({ kind: "recover", way: "rollback" }), 3);
    journal.close();
    assert.deepEqual(readJournal(folder).map(({ n, kind }) => [n, kind]), [[1, "run"], [2, "action-begin"], [
      3,
      "recover",
    ]]);
  }));
