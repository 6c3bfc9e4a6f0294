import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bytesOf, FAILS, settings, trial } from "../run/_trial.ts";
import { readJournal } from "../journal/journal.ts";

const NAME = `textfield[name="Name"]`;
const STEPS = `
  - transaction:
      - set: { target: '${NAME}', value: Grace }
      - set: { target: spinbutton, value: 7 }
    ${FAILS}`;

Deno.test("declared files are restored as they were: content, absence, and what came is gone", async () => {
  await trial(
    settings(STEPS, "files: [docs, later.txt]"),
    {
      prepare(_desktop, folder) {
        mkdirSync(join(folder, "docs"));
        writeFileSync(join(folder, "docs", "a.txt"), "first");
      },
      on(event, _desktop, folder) {
        // The application saves after the action's answer.
        if (event.event !== "step-finished" || event.step.path !== "1.1") return;
        writeFileSync(join(folder, "docs", "a.txt"), "saved");
        writeFileSync(join(folder, "docs", "b.txt"), "new");
        writeFileSync(join(folder, "later.txt"), "new");
      },
    },
    ({ result, folder }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
      const own = join(folder, "..", "..");
      assert.equal(readFileSync(join(own, "docs", "a.txt"), "utf8"), "first");
      assert.deepEqual([existsSync(join(own, "docs", "b.txt")), existsSync(join(own, "later.txt"))], [
        false,
        false,
      ]);
      const enrolled = result.rollback.enrolled.filter((e) => e.kind === "files");
      assert.deepEqual(enrolled.map((e) => [e.label, e.verdict]), [
        ["files docs", "restored"],
        ["files later.txt", "restored"],
      ]);
    },
  );
});

Deno.test("a file that the last action's application saves late is that action's doing", async () => {
  await trial(
    settings(STEPS, "files: [a.txt]"),
    {
      on(event, _desktop, folder) {
        if (event.event === "step-finished" && event.step.path === "1.2") {
          writeFileSync(join(folder, "a.txt"), "late");
        }
      },
    },
    ({ result, folder }) => {
      assert.equal(result.rollback.verdict, "restored");
      assert.equal(existsSync(join(folder, "..", "..", "a.txt")), false);
    },
  );
});

Deno.test("what a file holds is encrypted in the run's folder, durable before the line that names it", async () => {
  await trial(
    settings(STEPS, "files: [a.txt]"),
    { prepare: (_desktop, folder) => writeFileSync(join(folder, "a.txt"), "nobody reads this") },
    ({ folder, state, result }) => {
      assert.equal(result.rollback.verdict, "restored");
      assert.equal(readdirSync(join(folder, "artefacts")).length, 1);
      assert.doesNotMatch(bytesOf(folder), /nobody reads this/);
      assert.ok(readJournal(folder).length > 5 && existsSync(join(state, "keys", result.run)));
    },
  );
});

Deno.test("a file outside of the project's folder cannot be declared: the run does not begin", async () => {
  await assert.rejects(
    trial(settings(STEPS, "files: [../../etc/passwd]"), {}, () => assert.fail("it ran")),
    { code: "invalid" },
  );
});

Deno.test("beside a file that is too large to be kept, what somebody else changed is a conflict and stays", async () => {
  await trial(
    settings(STEPS, "files: [docs]"),
    {
      prepare(_desktop, folder) {
        mkdirSync(join(folder, "docs"));
        writeFileSync(join(folder, "docs", "large"), new Uint8Array((16 << 20) + 1));
        writeFileSync(join(folder, "docs", "a.txt"), "first");
      },
      on(event, _desktop, folder) {
        // After the engine has looked for what is saved late.
        if (event.event !== "rollback-step" || existsSync(join(folder, "docs", "theirs"))) return;
        writeFileSync(join(folder, "docs", "theirs"), "theirs");
      },
    },
    ({ result, folder }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [3, "drift"]);
      assert.equal(readFileSync(join(folder, "..", "..", "docs", "theirs"), "utf8"), "theirs");
      assert.ok(result.rollback.steps.some((one) => one.verdict === "conflict"));
    },
  );
});

Deno.test("the names of what is kept tell nothing to who has not the key", async () => {
  const names: string[] = [];
  for (let run = 0; run < 2; run++) {
    await trial(
      settings(STEPS, "files: [pin]"),
      { prepare: (_desktop, folder) => writeFileSync(join(folder, "pin"), "1234") },
      ({ folder }) => void names.push(...readdirSync(join(folder, "artefacts"))),
    );
  }
  assert.equal(new Set(names).size, 2, "the same content has another name in another run");
});
