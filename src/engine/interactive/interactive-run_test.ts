import assert from "node:assert/strict";
import { actions, at } from "../run/_trial.ts";
import { fileOf, type Trial, trial } from "./_trials.ts";

const NAME = 'textfield[name="Name"]';
const name = ({ desktop }: Pick<Trial, "desktop">) => at(desktop().world(), "sim.settings", "name", "text");
const volume = ({ desktop }: Pick<Trial, "desktop">) =>
  at(desktop().world(), "sim.settings", "volume", "value");

const set = (value: string) => `  - set: { target: '${NAME}', value: '${value}' }\n`;
const slide = (value: number) => `  - set: { target: slider, value: ${value} }\n`;

Deno.test("goes back to before a step, and on from there, without doing those before it again", () =>
  trial(fileOf(set("Grace") + slide(70) + set("Hopper")), async (run) => {
    const { interactive } = run;
    assert.equal((await interactive.goOn()).why, "end");
    assert.deepEqual([name(run), volume(run)], ["Hopper", 70]);
    const went = await interactive.goBack("3");
    assert.deepEqual([went.path, went.verdict, went.actions], ["3", "restored", 1]);
    assert.deepEqual([name(run), volume(run)], ["Grace", 70]);
    assert.equal((await interactive.goBack("1")).verdict, "restored");
    assert.deepEqual([name(run), volume(run)], ["Ada", 50]);
    await interactive.goOn({ until: "3" });
    const before = actions(run.desktop()).length;
    assert.equal((await interactive.goOn()).why, "end");
    assert.deepEqual([name(run), volume(run)], ["Hopper", 70]);
    assert.equal(actions(run.desktop()).length, before + 1);
    const result = await interactive.end({ rollback: true });
    assert.deepEqual([result.status, result.rollback.verdict], ["passed", "restored"]);
    assert.deepEqual([name(run), volume(run)], ["Ada", 50]);
  }));

Deno.test("an edited step is the first that is done again; a deleted one is undone", () =>
  trial(fileOf(set("Grace") + slide(70) + set("Hopper")), async (run) => {
    const { interactive } = run;
    await interactive.goOn();
    const before = actions(run.desktop()).length;
    const stop = await interactive.goOn({ file: fileOf(set("Grace") + slide(70) + set("Lovelace")) });
    assert.deepEqual([stop.why, stop.went?.path, stop.went?.verdict], ["end", "3", "restored"]);
    assert.deepEqual([name(run), volume(run)], ["Lovelace", 70]);
    // One action to undo, one to do.
    assert.equal(actions(run.desktop()).length, before + 2);
    const shorter = await interactive.goOn({ file: fileOf(set("Grace") + slide(70)) });
    assert.deepEqual([shorter.why, shorter.went?.path, shorter.went?.verdict], ["end", "end", "restored"]);
    assert.deepEqual([name(run), volume(run)], ["Grace", 70]);
    const same = await interactive.goOn({ file: fileOf(`\n\n${set("Grace")}${slide(70)}`) });
    assert.equal(same.went, undefined);
    assert.equal(interactive.steps.length, 2);
  }));

Deno.test("what failed stays, what is tried there is undone, and the corrected file goes on", () =>
  trial(
    fileOf(
      `${
        set("Grace")
      }  - transaction:\n      name: more\n      steps:\n        - set: { target: slider, value: 70 }\n` +
        `        - click: 'button[name="Nowhere"]'\n          timeout: 100ms\n`,
    ),
    async (run) => {
      const { interactive } = run;
      const stop = await interactive.goOn();
      assert.deepEqual([stop.why, stop.next?.path, stop.error?.code], ["failed", "2.2", "not_found"]);
      assert.deepEqual([name(run), volume(run)], ["Grace", 70]);
      const [step] = fileOf(set("Tried")).workflow.steps;
      assert.ok(step?.kind === "operation");
      assert.equal((await interactive.try(step)).status, "passed");
      assert.equal(name(run), "Tried");
      const before = actions(run.desktop()).length;
      const next = await interactive.goOn({
        file: fileOf(
          `${
            set("Grace")
          }  - transaction:\n      name: more\n      steps:\n        - set: { target: slider, value: 70 }\n` +
            `        - click: 'checkbox[name="Play sounds"]'\n`,
        ),
      });
      assert.deepEqual([next.why, next.went?.path, next.went?.verdict], ["end", "2.2", "restored"]);
      assert.deepEqual([name(run), volume(run)], ["Grace", 70]);
      assert.equal(actions(run.desktop()).length, before + 2);
    },
  ));

const BARRIER = `  - click: 'button[name="Apply"]'\n`;

Deno.test("behind a barrier the desktop is built anew, and says why; beyond what reached outside that is refused", () =>
  trial(fileOf(set("Grace") + BARRIER + slide(70)), async (run) => {
    const { interactive, rebuilt } = run;
    const end = await interactive.goOn();
    assert.equal(end.why, "end", end.error?.message);
    const went = await interactive.goBack("2");
    assert.equal(went.verdict, "rebuilt");
    assert.match(went.why ?? "", /^step 2 \(.*\) cannot be rolled back$/);
    assert.equal(rebuilt.count, 1);
    assert.deepEqual([name(run), volume(run)], ["Grace", 50]);
    // What was run again can be rolled back again.
    assert.equal((await interactive.goBack("1")).verdict, "restored");
    const outward = fileOf(set("Grace") + BARRIER.replace("\n", "\n    irreversible: true\n") + slide(70));
    assert.equal((await interactive.goOn({ file: outward })).why, "end");
    await assert.rejects(interactive.goBack("2"), { code: "barrier" });
    assert.deepEqual([rebuilt.count, volume(run)], [1, 70]);
    assert.equal((await interactive.goBack("3")).verdict, "restored");
    assert.equal(volume(run), 50);
  }));

Deno.test("forks run the steps before again on desktops of their own, and go on each in its way", () =>
  trial(fileOf(set("Grace") + slide(70) + set("Hopper")), async (run) => {
    const { interactive, open } = run;
    await interactive.goOn();
    const forks = await interactive.fork("3", [
      { name: "same", open },
      { name: "other", open, file: fileOf(set("Grace") + slide(70) + set("Lovelace")) },
    ]);
    const shows = await Promise.all(forks.map(async ({ interactive, session }) => {
      const [application] = await session?.desktop.applications() ?? [];
      assert.ok(application && session && interactive);
      const tree = await session.desktop.snapshot(application, { fields: ["text", "value"] });
      const rows = Array.from({ length: tree.size }, (_, row) => row);
      const field = rows.find((row) => tree.name(row) === "Name" && tree.text(row) !== undefined) ?? -1;
      await interactive.end();
      await session.close();
      return tree.text(field);
    }));
    assert.deepEqual(forks.map(({ error }) => error?.message), [undefined, undefined]);
    assert.deepEqual(shows, ["Hopper", "Lovelace"]);
    assert.equal(name(run), "Hopper");
  }));
