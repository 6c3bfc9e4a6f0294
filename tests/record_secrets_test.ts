import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { missingFor, TOOLKITS } from "../scripts/action-names/stage.ts";
import { PASSWORD, type Plan, plans } from "../scripts/recordings/acts.ts";
import { Injector } from "../scripts/recordings/injector.ts";
import { Person } from "../scripts/recordings/person.ts";
import { accountIn, commandOf, RecordStage } from "../scripts/recordings/stage.ts";
import { Deadline, pause } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import { Encryption } from "../src/engine/journal/encryption.ts";
import { Core } from "../src/ffi/core.ts";
import { writeYaml } from "../src/record/output/write-yaml.ts";
import { Recorder } from "../src/record/recorder.ts";
import { assertNowhere, assertNowhereBelow, bare } from "./_shown.ts";
import { withPlace } from "./cli/program.ts";

/** Typed where everybody may read it: what the search has to find. */
const PLAIN = "memo book";
const FORBIDDEN = { "the password": bare(PASSWORD) };

/** What a session in which a password is typed says: the file, the steps as they come, and every reply of the core. */
async function recorded(toolkit: RecordStage["toolkit"]) {
  await using stage = await RecordStage.open(toolkit);
  await using injector = await Injector.start(stage.session);
  const core = await Core.open();
  const replies: Uint8Array[] = [], events: string[] = [];
  core.observe(() => (reply) => void (reply && replies.push(Uint8Array.from(reply))));
  try {
    const recorder = await Recorder.start(stage.session, await stage.inputs(), {
      name: "secret",
      operations: catalogue,
      app: stage.application.name,
      onStep: (step, replaces) => events.push(JSON.stringify({ replaces, step })),
    });
    const person = new Person(injector);
    const acts: [Plan, () => boolean][] = [
      [plans.fill("Title", PLAIN, false), () => last("text") === PLAIN],
      [plans.fill("Password", PASSWORD, false), () => last("secret") === PASSWORD.length],
      [plans.click("button", "Save"), () => stage.account().some(({ of }) => of === "Save")],
    ];
    const last = (kind: string) => stage.account().findLast(({ what }) => what === kind)?.value;
    for (const [plan, done] of acts) {
      await plan.run(person, stage.sight);
      for (const deadline = Deadline.after(20_000); !done();) {
        assert.ok(!deadline.passed, `${plan.uses} in ${JSON.stringify(stage.account())}`);
        await pause(20);
      }
    }
    const yaml = writeYaml(await recorder.stop(), catalogue);
    const files = assertNowhereBelow(stage.folder, FORBIDDEN);
    return { yaml, events, replies, app: stage.application.name, files };
  } finally {
    core.observe(undefined);
  }
}

/** What the journals of a test run hold, with what is encrypted decrypted by their keys. */
function journalIn(tests: string): string {
  return readdirSync(tests).flatMap((one) =>
    readdirSync(join(tests, one, "runs")).map((run) => {
      const encryption = Encryption.open(join(tests, one), run);
      const journal = readFileSync(join(tests, one, "runs", run, "journal.jsonl"), "utf8");
      return journal.split("\n").filter((line) => line !== "").map((line) => {
        const record: { readonly [key: string]: unknown } = JSON.parse(line.slice(line.indexOf("{")));
        const content = record["sealed"];
        return typeof content === "string" ? `${line}\n${JSON.stringify(encryption.decrypt(content))}` : line;
      }).join("\n");
    })
  ).join("\n");
}

for (const toolkit of TOOLKITS) {
  const missing = missingFor(toolkit);
  const name =
    `a password typed in a recorded session stands in no event, file, journal, report or reply of the core: ${toolkit}`;
  Deno.test({ name, ignore: missing !== undefined }, () =>
    withPlace(async (place) => {
      const { yaml, events, replies, files } = await recorded(toolkit);
      assert.ok(files > 0);
      assert.match(
        yaml,
        /set: \{ target: 'passwordfield\[name="Password"\]', value: '\{\{secrets\.PASSWORD\}\}' \}/,
      );
      const said = [["the file", yaml], ["the steps", events.join("\n")]] as const;
      for (const [what, text] of said) {
        assert.ok(text.includes(PLAIN), `${what}: the search sees what is there`);
        assertNowhere(what, text, FORBIDDEN);
      }
      const holds = (text: string) =>
        replies.some((reply) => new TextDecoder("latin1").decode(reply).includes(text));
      assert.ok(holds(PLAIN), "the replies of the core: the search sees what is there");
      assert.equal(holds(PASSWORD.slice(0, 7)), false, "a reply of the core holds the password");

      // Run with the secret, with reports and evidence.
      const account = join(place.work, "account");
      mkdirSync(account);
      const [app, ...args] = commandOf(toolkit, account);
      const [head = "", steps = ""] = yaml.split("\nsteps:\n");
      const launch = JSON.stringify({ app, args });
      place.file("recorded.yaml", `${head}\nbefore:\n  - launch: ${launch}\nsteps:\n${steps}`);
      const finished = await place.run(
        [
          "test",
          "recorded.yaml",
          "--reporter",
          "list,json,junit,html",
          "--output",
          "out",
          "--evidence",
          "on",
        ],
        { env: { PASSWORD }, timeout: 120_000 },
      );
      assert.equal(finished.code, 0, finished.out + finished.err);
      const lengths = accountIn(account, toolkit).filter(({ what }) => what === "secret");
      assert.equal(lengths.at(-1)?.value, PASSWORD.length, "the application received it");
      assertNowhere("what it printed", finished.out + finished.err, FORBIDDEN);
      for (const folder of [place.state, place.work]) assert.ok(assertNowhereBelow(folder, FORBIDDEN) > 0);
      assert.throws(() => assertNowhereBelow(place.work, { there: bare(PLAIN) }), /there stands in/);
      const journal = journalIn(join(place.state, "tests"));
      assert.ok(bare(journal).includes(bare(PLAIN)), "the journal: the search sees what is there");
      assertNowhere("the journal", journal, FORBIDDEN);
    }));
}
