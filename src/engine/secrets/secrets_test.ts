import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { at, bytesOf, FAILS, settings, trial } from "../run/_trial.ts";
import { readJournal } from "../journal/journal.ts";
import { MASK, Mask } from "./mask.ts";
import { Encryption } from "../journal/encryption.ts";

const NAME = `textfield[name="Name"]`;
const TOKEN = 'to"ken\\with\nall of it';

Deno.test("a secret is in no event, result or byte of a run's folder, however it is written", async () => {
  await trial(
    settings(
      `  - retry: 1
    transaction:
      - set: { target: 'textfield[name="E-mail"]', value: '{{secrets.TOKEN}}' }
      - value: 'textfield[name="E-mail"]'
      - assert: { target: 'textfield[name="E-mail"]', value: '{{secrets.TOKEN}}' }
      - assert: { target: 'textfield[name="E-mail"]', value: 'no {{secrets.TOKEN}}', timeout: 0 }`,
      "secrets: [TOKEN]",
    ),
    {
      environment: { TOKEN },
      on(event, desktop) {
        if (event.event === "rollback-started") {
          desktop.person("sim.settings", "email", { text: `${TOKEN}!` });
        }
      },
    },
    ({ result, events, folder, desktop }) => {
      const written = desktop.log.entries.some((e) => e.changes.some((c) => c.after === TOKEN));
      assert.ok(written, "the field itself got the true one");
      assert.equal(result.rollback.verdict, "drift");
      const shown = [JSON.stringify(result), JSON.stringify(events), bytesOf(folder)];
      for (const text of shown) {
        for (const form of ["ken\\\\with", "ken\\with", "ken%5Cwith", 'to"ken', 'to\\"ken', "all of it"]) {
          assert.ok(
            !text.includes(form),
            `${form} in ${text.slice(Math.max(0, text.indexOf(form) - 200)).slice(0, 300)}`,
          );
        }
      }
      assert.ok(shown[0]?.includes(MASK));
    },
  );
});

Deno.test("the secrets of a file that is run are hidden too", async () => {
  await trial(`name: t\napp: sim.settings\nsteps: [ { run: child.yaml } ]`, {
    environment: { CHILD: "hidden-child" },
    files: {
      "child.yaml": `name: child
secrets: [CHILD]
steps:
  - set: { target: '${NAME}', value: '{{secrets.CHILD}}' }
  - value: '${NAME}'`,
    },
  }, ({ result, events, after }) => {
    assert.equal(at(after, "sim.settings", "name", "text"), "hidden-child");
    assert.doesNotMatch(JSON.stringify([result, events]), /hidden-child/);
  });
});

Deno.test("a text that was cut within a secret hides the part that is left of it", () => {
  const mask = new Mask(["correct horse battery"]);
  assert.equal(mask.text('text is "correct horse b…, before'), `text is "${MASK}…, before`);
  assert.equal(mask.text("value correct ho"), `value ${MASK}`);
  assert.equal(mask.text("correct horse battery, corr"), `${MASK}, ${MASK}`);
  assert.equal(mask.text("nothing of it… or co"), "nothing of it… or co");
  assert.equal(new Mask(["ab"]).text("ab"), MASK);
  assert.equal(new Mask(["ab"]).text("cab"), "cab");
});

Deno.test("a secret that comes back as a number or as a key is hidden, and the words of a result stay", () => {
  const mask = new Mask(["4711", "path"]);
  const step = { path: "1", duration_ms: 4711, output: { value: 4711, more: { path: [4712, "4711"] } } };
  assert.deepEqual(mask.apply(step), {
    path: "1",
    duration_ms: 4711,
    output: { value: MASK, more: { [MASK]: [4712, MASK] } },
  });
  assert.deepEqual(mask.json({ image: { properties: { value: 4711, path: 1 } } }), {
    image: { properties: { value: MASK, path: 1 } },
  });
});

Deno.test("images in the journal are encrypted, under a key outside of the run's folder", async () => {
  await trial(
    settings(`  - set: { target: '${NAME}', value: Grace-the-new }\n${FAILS}`),
    { prepare: (desktop) => desktop.person("sim.settings", "name", { text: "Ada-the-old" }) },
    ({ result, folder, state }) => {
      const bytes = bytesOf(folder);
      assert.doesNotMatch(bytes, /Grace-the-new|Ada-the-old/);
      const begin = readJournal(folder).find((record) => record.kind === "action-begin");
      assert.ok(begin);
      const image = JSON.stringify(Encryption.open(state, result.run).decrypt(begin.encrypted));
      assert.match(image, /Grace-the-new.*Ada-the-old/);
      assert.deepEqual(readdirSync(join(state, "keys")), [result.run]);
      assert.equal(statSync(join(state, "keys", result.run)).mode & 0o777, 0o600);
      assert.equal(statSync(join(state, "keys")).mode & 0o777, 0o700);
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      Encryption.destroy(state, result.run);
      assert.throws(() => Encryption.open(state, result.run), /pruned/);
    },
  );
});

Deno.test("what was encrypted and changed since, or under another key, is refused", async () => {
  await trial(settings(`  - set: { target: '${NAME}', value: x }`), {}, ({ state }) => {
    const [one, two] = [Encryption.create(state, "one"), Encryption.create(state, "two")];
    const encrypted = one.encrypt({ a: [1, "ü"] });
    assert.deepEqual(one.decrypt(encrypted), { a: [1, "ü"] });
    assert.throws(() => two.decrypt(encrypted), /Cannot decrypt/);
    assert.throws(() => one.decrypt("AAAA"), /Cannot decrypt/);
    assert.throws(() => one.decrypt(`${encrypted.slice(0, -6)}AAAA==`), /Cannot decrypt/);
    assert.throws(() => Encryption.create(state, "one"), /Cannot write the key/);
  });
});

Deno.test("beginnings of a secret before cuts are masked however many there are", () => {
  const mask = new Mask(["opensesame"]);
  const count = 50_000;
  const masked = mask.text(`${"opens… ".repeat(count)}and opense`);
  assert.equal(masked, `${"••••••… ".repeat(count)}and ••••••`);
});
