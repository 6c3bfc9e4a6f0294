import assert from "node:assert/strict";
import { z } from "zod";
import { catalogue } from "../../catalogue.ts";
import type { ApplicationDescription } from "../../desktop/simulated/describe.ts";
import { WRITES } from "../../contract/effect.ts";
import { defineOperation } from "../../contract/operation.ts";
import { stillStand } from "./guard-digest.ts";
import { counted, FAILS, trial, type TrialOptions } from "../run/_trial.ts";

/** A press that is known to open something, as a press on a menu button is. */
const summon = defineOperation({
  name: "summon",
  title: "Open the dialog",
  description: "Opens the dialog that saves.",
  input: z.strictObject({ keys: z.array(z.string()) }),
  output: z.strictObject({}),
  hints: WRITES,
  views: { yaml: { verb: "summon" } },
  resolve: () => Promise.resolve(undefined),
  effect: () => "observed",
  async act({ desktop, deadline }, { keys }) {
    await desktop.pressKeys(keys, deadline.call());
    return {};
  },
});

const EDITOR = (keys: string) =>
  `name: trial\napp: sim.editor\nsteps:\n  - transaction:\n      - summon: { keys: ${keys} }\n    ${FAILS}`;
const OPTIONS: TrialOptions = { applications: ["sim.editor"], operations: [...catalogue, summon] };

Deno.test("what an observed action was seen to open is closed, and seen to be closed", () =>
  trial(EDITOR("[ctrl, s]"), OPTIONS, ({ result, before, after }) => {
    assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
    assert.deepEqual(counted(result).map((s) => [s.verdict, s.method]), [["compensated", "Escape"]]);
    assert.deepEqual(after, before);
  }));

Deno.test("what was closed meanwhile is left alone: no Escape hits what somebody does now", () =>
  trial(
    EDITOR("[ctrl, s]"),
    {
      ...OPTIONS,
      on(event, desktop) {
        if (event.event === "rollback-started") void desktop.pressKeys(["Escape"]);
      },
    },
    ({ result, desktop }) => {
      assert.deepEqual(counted(result).map((s) => s.verdict), ["already"]);
      assert.equal(
        desktop.log.entries.filter((e) => e.did === "pressKeys").length,
        2,
        "ours, and the person's",
      );
    },
  ));

Deno.test("the keys that close it go to its application, whichever has the keyboard by then", () =>
  trial(
    EDITOR("[ctrl, s]"),
    {
      ...OPTIONS,
      on(event, desktop) {
        if (event.event === "rollback-started") desktop.launch("sim.settings");
      },
    },
    ({ result }) => assert.deepEqual(counted(result).map((s) => s.verdict), ["compensated"]),
  ));

Deno.test("an observed action that opened nothing to be seen is named, not passed over", () =>
  trial(EDITOR("[F5]"), OPTIONS, ({ result }) => {
    assert.deepEqual([result.exit, result.rollback.verdict], [3, "drift"]);
    assert.deepEqual(counted(result).map((s) => s.verdict), ["unrestorable"]);
  }));

Deno.test("what Escape does not close is failed, and named", () =>
  trial(
    EDITOR("[ctrl, s]"),
    {
      ...OPTIONS,
      on(event, desktop) {
        if (event.event !== "rollback-started") return;
        desktop.inject({ fault: "no_effect", when: { call: "pressKeys", times: "always" } });
      },
    },
    ({ result }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [4, "failed"]);
      assert.match(counted(result)[0]?.reason ?? "", /still stands/);
    },
  ));

Deno.test("a question that comes when it is closed is not answered: no second Escape", () =>
  trial(
    EDITOR("[ctrl, s]"),
    {
      ...OPTIONS,
      prepare: (desktop) => void desktop.typeText("not saved"),
      on(event, desktop) {
        if (event.event !== "rollback-started") return;
        const press = desktop.pressKeys.bind(desktop);
        desktop.pressKeys = async (keys, call) => {
          await press(keys, call);
          if (keys[0] === "Escape") await press(["ctrl", "w"], call);
        };
      },
    },
    ({ result, desktop }) => {
      assert.deepEqual(counted(result).map((s) => s.verdict), ["failed"]);
      assert.match(counted(result)[0]?.reason ?? "", /another window came/);
      assert.equal(
        desktop.log.entries.filter((e) => e.did === "pressKeys").length,
        3,
        "ours, Escape, ctrl+w",
      );
    },
  ));

Deno.test("a list that only the display tells of is closed too", () =>
  trial(
    `name: trial\napp: sim.settings\nsteps:\n  - transaction:\n      - click: 'combobox[name="Language"]'\n    ${FAILS}`,
    { applications: ["sim.settings"] },
    async ({ result, desktop }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
      assert.deepEqual(counted(result).map((s) => [s.verdict, s.method]), [
        ["already", undefined],
        ["compensated", "Escape"],
      ]);
      assert.ok(!(await desktop.windows()).some((window) => window.popup), "the list is closed");
    },
  ));

Deno.test("windows still stand where only a popup has come, and no longer where one has gone", () => {
  const stood = ":1.2\nframe\npopup";
  assert.ok(stillStand(stood, stood));
  assert.ok(stillStand(stood, ":1.2\nframe\npopup\npopup"));
  for (const now of [":1.2\nframe", ":1.2\nframe\n16 Question\npopup", ":1.3\nframe\npopup"]) {
    assert.ok(!stillStand(stood, now), now);
  }
});

/** A window that the keyboard opens a dialog beside. */
const BESIDE: ApplicationDescription = {
  id: "own.beside",
  name: "Beside",
  windows: [
    { key: "main", title: "Beside", children: [{ kind: "label", key: "name", name: "Name" }] },
    { key: "find", kind: "dialog", title: "Find", modal: false, open: false, x: 850, children: [] },
  ],
  behave: (app) => ({
    chord(chord) {
      if (chord === "ctrl+f") app.open("find");
      return chord === "ctrl+f";
    },
  }),
};

Deno.test("the keys that close a dialog go to it, whichever window of its application is in front by then", () => {
  let main: number | undefined;
  return trial(
    `name: trial\napp: own.beside\nsteps:\n  - transaction:\n      - summon: { keys: [ctrl, f] }\n    ${FAILS}`,
    {
      ...OPTIONS,
      applications: [BESIDE],
      async prepare(desktop) {
        main = (await desktop.windows()).find(({ title }) => title === "Beside")?.id;
      },
      on(event, desktop) {
        if (event.event !== "rollback-started") return;
        assert.ok(main !== undefined);
        void desktop.window(main, { do: "activate" });
      },
    },
    ({ result }) => assert.deepEqual(counted(result).map((s) => s.verdict), ["compensated"]),
  );
});
