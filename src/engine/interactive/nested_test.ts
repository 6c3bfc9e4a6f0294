import assert from "node:assert/strict";
import { catalogue } from "../../catalogue.ts";
import { programOf, workflowOf } from "../../script/program.ts";
import { workflow } from "../../script/workflow.ts";
import type { Tools } from "../../script/types.ts";
import { Encryption } from "../journal/encryption.ts";
import { runFolder } from "../journal/journal.ts";
import { PastRun } from "../journal/past-run.ts";
import { actions, at } from "../run/_trial.ts";
import { fileOf, type Trial, trial } from "./_trials.ts";
import type { FileNow } from "./steering.ts";

const NAME = 'textfield[name="Name"]';
const name = ({ desktop }: Pick<Trial, "desktop">) => at(desktop().world(), "sim.settings", "name", "text");
const volume = ({ desktop }: Pick<Trial, "desktop">) =>
  at(desktop().world(), "sim.settings", "volume", "value");

const set = (value: string, margin = "  ") => `${margin}- set: { target: '${NAME}', value: '${value}' }\n`;
const slide = (value: number, margin = "  ") => `${margin}- set: { target: slider, value: ${value} }\n`;

Deno.test("a step of a file that is run is a place to go back to, and an edit of it is the first that is done again", () => {
  const file = (value: string) =>
    fileOf(`${slide(70)}  - run: other.yaml\n${slide(75)}`, "", {
      "other.yaml": `name: other\napp: sim.settings\nsteps:\n${set("Grace")}${set(value)}`,
    });
  return trial(file("Hopper"), async (run) => {
    const { interactive } = run;
    await interactive.goOn();
    assert.deepEqual(interactive.steps.map(({ path }) => path), ["1", "2", "2.1", "2.2", "3"]);
    const stop = await interactive.goOn({ file: file("Lovelace") });
    assert.deepEqual([stop.why, stop.went?.path, stop.went?.verdict], ["end", "2.2", "restored"]);
    assert.deepEqual([name(run), volume(run)], ["Lovelace", 75]);
  });
});

Deno.test("inside of a transaction that committed, and of a loop, one goes back as anywhere else", () => {
  const file = (loop: string) =>
    fileOf(
      `  - transaction:\n      name: both\n      steps:\n${set("Grace", "        ")}${
        slide(70, "        ")
      }` +
        `  - for_each: { in: [${loop}], as: n, steps: [ { set: { target: slider, value: '{{vars.n}}' } } ] }\n`,
    );
  return trial(file("10, 20, 30"), async (run) => {
    const { interactive } = run;
    assert.equal((await interactive.goOn()).why, "end");
    assert.equal(volume(run), 30);
    assert.equal((await interactive.goBack("2[2].1")).verdict, "restored");
    assert.equal(volume(run), 10);
    assert.equal((await interactive.goBack("1.2")).verdict, "restored");
    assert.deepEqual([name(run), volume(run)], ["Grace", 50]);
    assert.equal((await interactive.goOn()).why, "end");
    const before = actions(run.desktop()).length;
    const stop = await interactive.goOn({ file: file("10, 20, 30, 40") });
    // The list is another one, so the loop begins anew.
    assert.deepEqual([stop.went?.path, stop.went?.verdict, volume(run)], ["2", "restored", 40]);
    assert.ok(actions(run.desktop()).length - before >= 5);
    const result = await interactive.end({ rollback: true });
    assert.equal(result.rollback.verdict, "restored");
    assert.deepEqual([name(run), volume(run)], ["Ada", 50]);
  });
});

Deno.test("a savepoint that was rolled back to: what stood in between is built anew", () =>
  trial(
    fileOf(
      `${set("Grace")}  - savepoint: here\n${set("Hopper")}${slide(70)}  - rollback_to: here\n${slide(75)}`,
    ),
    async (run) => {
      const { interactive, rebuilt } = run;
      assert.equal((await interactive.goOn()).why, "end");
      assert.deepEqual([name(run), volume(run)], ["Grace", 75]);
      assert.equal((await interactive.goBack("6")).verdict, "restored");
      assert.deepEqual([name(run), volume(run)], ["Grace", 50]);
      const went = await interactive.goBack("4");
      assert.deepEqual([went.verdict, went.why], ["rebuilt", "what stood there was undone since"]);
      assert.deepEqual([name(run), volume(run), rebuilt.count], ["Hopper", 50, 1]);
    },
  ));

Deno.test("what the journal says to stand is what stands, so that a run that is killed is rolled back", () =>
  trial(fileOf(set("Grace") + slide(70) + set("Hopper")), async ({ interactive, state }) => {
    const standing = () => {
      const { run } = interactive;
      return new PastRun(runFolder(state, run), Encryption.open(state, run)).actions.map(({ path }) => path);
    };
    await interactive.goOn();
    assert.deepEqual(standing(), ["1", "2", "3"]);
    await interactive.goBack("2");
    assert.deepEqual(standing(), ["1"]);
    await interactive.goOn({ file: fileOf(set("Grace") + slide(75)) });
    assert.deepEqual(standing(), ["1", "2"]);
  }));

Deno.test("what is done anew in a transaction that had committed is committed in the journal, once", () => {
  const file = (value: number, last: string) =>
    fileOf(
      `  - transaction:\n      name: both\n      steps:\n${set("Grace", "        ")}${
        slide(value, "        ")
      }${set(last)}`,
    );
  return trial(file(70, "Hopper"), async ({ interactive, state }) => {
    const past = () => {
      const { run } = interactive;
      return new PastRun(runFolder(state, run), Encryption.open(state, run));
    };
    const commits = () => past().records.filter(({ kind }) => kind === "commit").length;
    await interactive.goOn();
    await interactive.goOn({ file: file(70, "Lovelace") });
    assert.equal(commits(), 1);
    await interactive.goOn({ file: file(80, "Lovelace") });
    assert.equal(commits(), 2);
    assert.deepEqual(past().actions.map(({ path, undoLog }) => `${path} of "${undoLog}"`), [
      '1.1 of ""',
      '1.2 of ""',
      '2 of ""',
    ]);
  });
});

Deno.test("a desktop that cannot be replaced is not: the error says so, and nothing was touched", () =>
  trial(
    fileOf(`${set("Grace")}  - click: 'button[name="Apply"]'\n${slide(70)}`),
    async (run) => {
      const { interactive } = run;
      await interactive.goOn();
      await assert.rejects(interactive.goBack("1"), { code: "unsupported" });
      assert.deepEqual([name(run), volume(run)], ["Grace", 70]);
      assert.equal((await interactive.goBack("3")).verdict, "restored");
      assert.equal(volume(run), 50);
    },
    { replaceable: false },
  ));

Deno.test("a program: its steps that are the same are not done again, and answer what they answered", () => {
  const surroundings = { env: () => undefined, secret: () => undefined };
  const programmed = (steps: (t: Tools) => Promise<void>): FileNow => {
    const script = workflow("program", { app: "sim.settings" }, steps);
    return {
      workflow: workflowOf(script, "program.ts", steps.toString()),
      program: programOf(script, { file: "program.ts", operations: catalogue, surroundings }),
      vars: {},
    };
  };
  const seen: string[] = [];
  const steps = (last: string) => async (t: Tools) => {
    await t.set({ target: NAME, value: "Grace" });
    const { value } = await t.value(NAME);
    seen.push(String(value));
    await t.transaction("slide", async () => {
      await t.set({ target: "slider", value: 70 });
    });
    await t.set({ target: NAME, value: last });
  };
  return trial(programmed(steps("Hopper")), async (run) => {
    const { interactive } = run;
    const first = await interactive.goOn();
    assert.equal(first.why, "end", first.error?.message);
    const before = actions(run.desktop()).length;
    const stop = await interactive.goOn({ file: programmed(steps("Lovelace")) });
    assert.deepEqual([stop.why, stop.went?.path, stop.went?.verdict], ["end", "4", "restored"]);
    assert.deepEqual([name(run), volume(run), seen], ["Lovelace", 70, ["Grace", "Grace"]]);
    assert.equal(actions(run.desktop()).length, before + 2);
    assert.equal((await interactive.goBack("3.1")).verdict, "restored");
    assert.deepEqual([name(run), volume(run)], ["Grace", 50]);
  });
});
