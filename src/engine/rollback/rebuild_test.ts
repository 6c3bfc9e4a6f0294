import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { catalogue } from "../../catalogue.ts";
import { defineOperation } from "../../contract/operation.ts";
import { WRITES } from "../../contract/effect.ts";
import { at, dig, FAILS, settings, trial, type TrialOptions } from "../run/_trial.ts";
import { readJournal } from "../journal/journal.ts";
import { Encryption } from "../journal/encryption.ts";

const APP = "sim.settings";
const NAME = `textfield[name="Name"]`;
/** A person interferes: what the step left is not what the rollback finds. */
const interfering: TrialOptions["on"] = (event, desktop) => {
  if (event.event === "rollback-started") desktop.person(APP, "name", { text: "Somebody" });
};
const STEPS = `
  - set: { target: slider, value: 80 }
  - transaction:
      - set: { target: '${NAME}', value: Grace }
      - click: 'button[name="Apply"]'
        irreversible: true
    ${FAILS}`;

Deno.test("what is not restored is rebuilt: a new desktop, replayed to the savepoint, element by element as there", async () => {
  await trial(
    settings(STEPS, "rollback: rebuild\non_failure: stop"),
    { on: interfering },
    ({ result, after, folder }) => {
      assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["failed", 1, "rebuilt"]);
      assert.deepEqual([at(after, APP, "name", "text"), at(after, APP, "volume", "value")], ["Ada", 80]);
      assert.equal(dig(after, ["applications", APP, "state", "applied"]), 0);
      assert.deepEqual(result.rollback.drift, []);
      assert.ok(result.rollback.enrolled.every((one) => one.verdict === "rebuilt"));
      const kinds = readJournal(folder).map((line) => line.kind);
      assert.deepEqual(kinds.filter((kind) => kind.startsWith("rebu")), ["rebuild", "rebuilt"]);
    },
  );
});

Deno.test("what is restored is not rebuilt, and without the file's word nothing is", async () => {
  await trial(
    settings(STEPS.replace(/ {6}- click[^]*?true\n/, ""), "rollback: rebuild"),
    {},
    ({ result }) => assert.equal(result.rollback.verdict, "restored"),
  );
  await trial(settings(STEPS), { on: interfering }, ({ result }) => {
    assert.equal(result.rollback.verdict, "drift");
  });
});

Deno.test("a whole file is rebuilt to where its steps began, with what before: did", async () => {
  await trial(
    `name: trial\napp: ${APP}\nrollback: rebuild\nbefore:\n  - set: { target: spinbutton, value: 5 }\nsteps:
  - set: { target: '${NAME}', value: Grace }
${FAILS}`,
    { on: interfering },
    ({ result, after }) => {
      assert.equal(result.rollback.verdict, "rebuilt");
      assert.deepEqual([at(after, APP, "name", "text"), at(after, APP, "copies", "value")], ["Ada", 5]);
    },
  );
});

Deno.test("a savepoint is rebuilt too, and the flow goes on on the new desktop", async () => {
  await trial(
    settings(
      `
  - set: { target: slider, value: 80 }
  - savepoint: here
  - set: { target: '${NAME}', value: Grace }
  - rollback_to: here
  - set: { target: spinbutton, value: 3 }`,
      "rollback: rebuild",
    ),
    { on: interfering },
    ({ result, after }) => {
      assert.deepEqual([result.status, result.rollback.verdict], ["passed", "rebuilt"]);
      const left = [at(after, APP, "name", "text"), at(after, APP, "volume", "value")];
      assert.deepEqual([...left, at(after, APP, "copies", "value")], ["Ada", 80, 3]);
    },
  );
});

Deno.test("beyond an action that reached outside nothing is rebuilt", async () => {
  const send = defineOperation({
    name: "send",
    title: "Send a letter",
    description: "Sends a letter.",
    input: z.strictObject({}),
    output: z.strictObject({}),
    hints: { ...WRITES, openWorld: true },
    views: { yaml: { verb: "send" } },
    resolve: () => Promise.resolve(undefined),
    effect: () => "irreversible",
    act: () => Promise.resolve({}),
  });
  for (const before of [true, false]) {
    const sending = `  - send: {}\n    irreversible: true\n`;
    const steps = before
      ? `${sending}${STEPS}`
      : STEPS.replace("      - click", "      - send: {}\n        irreversible: true\n      - click");
    await trial(
      settings(steps, "rollback: rebuild\non_failure: stop"),
      { on: interfering, operations: [...catalogue, send] },
      ({ result, events, after }) => {
        assert.equal(result.rollback.verdict, "drift");
        assert.equal(at(after, APP, "name", "text"), "Somebody");
        assert.ok(
          events.some((e) => e.event === "note" && /not rebuilt: send reached beyond it/.test(e.message)),
        );
      },
    );
  }
});

Deno.test("after a rebuild inside of a step with a time of its own, the files of the new desktop are the protected ones", async () => {
  let homes = 0;
  await trial(
    settings(
      `
  - transaction:
      - savepoint: here
      - set: { target: '${NAME}', value: Grace }
      - rollback_to: here
    timeout: 60s
  - set: { target: spinbutton, value: 3 }
${FAILS}`,
      "rollback: rebuild\nfiles: ['~/a.txt']\non_failure: stop",
    ),
    {
      on: interfering,
      homeOf: (folder) => {
        const home = join(folder, `home${homes++}`);
        mkdirSync(home);
        return home;
      },
    },
    ({ result, folder, state }) => {
      assert.equal(result.rollback.verdict, "rebuilt");
      const encryption = Encryption.open(state, result.run);
      const described = readJournal(folder).flatMap((record) =>
        record.kind === "action-begin" ? [JSON.stringify(encryption.decrypt(record.encrypted))] : []
      );
      assert.match(described.at(-1) ?? "", /home1\/a\.txt/);
    },
  );
});
