// No false verdict: what is said of a click and of a rollback is what the application itself wrote down. Judged are the
// fixtures of tests/fixtures/truth, which write a line for each signal that reaches them.
import assert from "node:assert/strict";
import { z } from "zod";
import { actionsIn, subjects } from "../scripts/action-names/measure.ts";
import { named, type Stage, type ToolkitName, TOOLKITS } from "../scripts/action-names/stage.ts";
import { Deadline } from "../src/base/call.ts";
import { clickOn } from "../src/desktop/actions/point.ts";
import { press } from "../src/desktop/actions/press.ts";
import { roleOf } from "../src/desktop/roles.ts";
import { inBackground } from "../src/desktop/mode.ts";
import { judged, onToolkit, perform, rolledBackSteps, type Step } from "./_truth.ts";

const methodOf = (output: unknown) => z.looseObject({ method: z.string() }).parse(output).method;
const verifiedOf = (output: unknown) => z.looseObject({ verified: z.boolean() }).parse(output).verified;

/** Fields that can be written in. What Return does there would be seen; that it is not, is the test. */
const FIELDS: Readonly<Record<ToolkitName, readonly string[]>> = {
  gtk3: ["Plain entry", "Search entry", "Password entry", "Combo entry", "Spin entry"],
  gtk4: ["Plain entry", "Search entry", "Password entry", "Spin entry"],
  qt5: ["Plain entry", "Password entry", "Combo entry", "Spin entry"],
  qt6: ["Plain entry", "Password entry", "Combo entry", "Spin entry"],
  chromium: ["Plain entry", "Search entry", "Password entry", "Spin entry"],
};

/** What a page hears of every click is no submission. */
const ofItself = (name: string) => [`click ${name}`];

for (const toolkit of TOOLKITS) {
  onToolkit(toolkit, "a click on a field is focus, and nothing is submitted", async (stage, t) => {
    for (const name of FIELDS[toolkit]) {
      await t.step(name, async () => {
        const click = { click: await selectorOf(stage, name) };
        const { result, actions, reported } = await judged(stage, rolledBackSteps(click));
        assert.deepEqual(actions, toolkit === "chromium" ? ofItself(name) : [], reported);
        assert.equal(result.rollback.verdict, "restored", reported);
        assert.equal(methodOf(result.steps[0]?.output), "XTEST click", reported);
      });
    }
    // The twin: with Return the same application does write it down.
    await t.step("Return in the same field does submit", async () => {
      const { result, actions, reported } = await judged(stage, [{
        press: { keys: "Return", into: 'textfield[name="Plain entry"]' },
      }]);
      assert.equal(result.status, "passed", reported);
      assert.match(actions.join(), /clicked Send|returnPressed|submit/, reported);
    });
  });
}

interface Rows {
  /** A row that is clicked. */
  readonly row: string;
  /** What the application must write of it, beside that it is chosen. */
  readonly acts: RegExp;
}

/** Rows that do something when they are clicked once, each kind that the toolkit has. */
const ROWS: Readonly<Record<ToolkitName, readonly Rows[]>> = {
  gtk3: [
    { row: "Single click list two", acts: /row-activated/ },
    { row: "Single click tree two", acts: /row-activated/ },
    { row: "Icon two", acts: /item-activated/ },
    { row: "Flow two", acts: /child-activated/ },
  ],
  gtk4: [
    { row: "Single click list two", acts: /row-activated/ },
    { row: "Single click view two", acts: /activate Single/ },
    { row: "Grid two", acts: /activate Grid/ },
    { row: "Column two", acts: /activate Columns/ },
    { row: "Flow two", acts: /child-activated/ },
  ],
  qt5: ["List", "Table", "Tree"].map((view) => ({ row: `${view} two`, acts: /clicked/ })),
  qt6: ["List", "Table", "Tree"].map((view) => ({ row: `${view} two`, acts: /clicked/ })),
  chromium: ["Native", "Option", "Tree", "Row"].map((kind) => ({ row: `${kind} two`, acts: /^(?:ch|cl)/ })),
};

/** A selector of a row by what it says, whichever part of it says so. */
async function selectorOf(stage: Stage, says: string): Promise<string> {
  const tree = await stage.snapshot();
  const subject = subjects(tree).find(({ on }) => on === says);
  assert.ok(subject, says);
  const { row } = subject;
  const { word } = roleOf(tree.role(row), tree.statesLow(row), tree.statesHigh(row));
  return tree.name(row) === says ? `${word}[name="${says}"]` : `${word}:has-text("${says}")`;
}

for (const toolkit of TOOLKITS) {
  onToolkit(
    toolkit,
    "a click on a row is what a person's click is, and select is no click",
    async (stage, t) => {
      for (const { row: says, acts } of ROWS[toolkit]) {
        await t.step(says, async () => {
          const target = await selectorOf(stage, says);
          const byHand = actionsIn(
            await stage.during(async () => {
              const tree = await stage.snapshot();
              const subject = subjects(tree).find(({ on }) => on === says);
              await clickOn(stage.desktop, tree.element(subject?.row ?? -1), Deadline.after(15_000));
            }),
          );
          const click = await judged(stage, [{ click: target }]);
          assert.equal(methodOf(click.result.steps[0]?.output), "XTEST click", click.reported);
          assert.deepEqual(click.actions, byHand, click.reported);
          assert.match(click.actions.join(), acts, click.reported);

          const refused = await judged(stage, rolledBackSteps({ click: target }));
          assert.equal(refused.result.error?.code, "barrier", refused.reported);
          assert.deepEqual(refused.actions, [], refused.reported);

          if (says === "Flow two" && toolkit === "gtk3") return; // It does not say that it can be chosen.
          // What was chosen before is chosen again: Qt lets go of the last one by nothing but a click.
          const first = toolkit.startsWith("qt")
            ? [{ select: { target: target.replace("two", "three") } }]
            : [];
          const select = await judged(stage, [...first, ...rolledBackSteps({ select: { target } })]);
          // A page hears of nothing but clicks: what is chosen there is what was clicked.
          if (toolkit !== "chromium") {
            assert.equal(select.result.rollback.verdict, "restored", select.reported);
            assert.doesNotMatch(select.actions.join(), acts, select.reported);
            assert.match(select.actions.join(), /select/i, select.reported);
            assert.equal(
              verifiedOf(select.result.steps.at(-2)?.output ?? select.result.steps[0]?.output),
              true,
              select.reported,
            );
          }
        });
      }
    },
  );
}

for (const toolkit of ["gtk3", "gtk4", "qt5", "qt6"] as const) {
  onToolkit(
    toolkit,
    "in the background neither a field nor a row is clicked, and nothing is said to be",
    async (stage) => {
      const desktop = inBackground(stage.desktop);
      const tree = await stage.snapshot();
      for (const name of ["Plain entry", ROWS[toolkit][0]?.row ?? ""]) {
        const row = subjects(tree).find(({ on }) => on === name)?.row ?? named(tree, name);
        const lines = await stage.during(async () => {
          await assert.rejects(press(desktop, tree.element(row), {}, Deadline.after(5_000)), {
            code: "needs_focus",
          });
        });
        assert.deepEqual(actionsIn(lines), [], name);
      }
    },
  );
}

/** What a rollback of what was typed into an area of several lines is to send. */
const UNDO: Readonly<Record<ToolkitName, string>> = {
  gtk3: "EditableText.SetTextContents",
  gtk4: "Action.DoAction(text.undo)",
  qt5: "Ctrl+Z",
  qt6: "Ctrl+Z",
  chromium: "XTEST keys",
};

for (const toolkit of TOOLKITS) {
  const what = "a rollback presses Ctrl+Z only where it is the text's own undo";
  onToolkit(toolkit, what, async (stage) => {
    const type = { type: { into: 'textarea[name="Area"]', text: " more" } };
    const { result, actions, reported } = await judged(stage, rolledBackSteps(type));
    assert.deepEqual(actions.filter((action) => action.startsWith("accelerator")), [], reported);
    assert.equal(result.rollback.verdict, "restored", reported);
    const step = result.rollback.steps.find(({ what }) => what.startsWith("text of"));
    // An undo that is answered late is redone, and the text is written: then that is named behind it.
    assert.ok(step?.method?.startsWith(UNDO[toolkit]), reported);
    // The twin: the accelerator is there, and a person's key does set it off where the field is none.
    const into = toolkit.startsWith("qt") ? { into: 'button[name="Send"]' } : {};
    const pressed = await judged(stage, [{ press: { keys: "ctrl+z", ...into } }]);
    assert.match(pressed.actions.join(), /accelerator ctrl\+z/, pressed.reported);
  }, ["--accelerators"]);
}

for (const toolkit of ["qt5", "qt6"] as const) {
  const what = "an undo that was of another history is redone, and every key is named";
  onToolkit(toolkit, what, async (stage) => {
    const type = { type: { into: 'textarea[name="Area"]', text: " more" } };
    const { result, actions, reported } = await judged(stage, rolledBackSteps(type));
    assert.equal(result.rollback.verdict, "restored", reported);
    assert.deepEqual(actions, ["redone history", "undone history"], reported);
    const step = result.rollback.steps.find(({ what }) => what.startsWith("text of"));
    assert.equal(step?.method, "Ctrl+Z, Ctrl+Shift+Z, EditableText.SetTextContents", reported);
    const read = await perform(stage, [{ assert: { target: 'textarea[name="Area"]', text: "area" } }]);
    assert.equal(read.status, "passed", JSON.stringify(read.error));
  }, ["--shared-undo"]);
}

for (const toolkit of ["gtk4", "qt5", "qt6"] as const) {
  const what = "a button that would act late is clicked, and in the background its action does the same";
  onToolkit(toolkit, what, async (stage, t) => {
    const presses = { Send: "clicked", Check: "toggled", Toggle: "toggled" };
    for (const [name, tells] of Object.entries(presses)) {
      await t.step(name, async () => {
        const target = await selectorOf(stage, name);
        const methods: string[] = [];
        const lines = async (...steps: Step[]) => {
          const all = await stage.during(async () => {
            const result = await perform(stage, steps);
            assert.equal(result.status, "passed", JSON.stringify(result.error));
            methods.push(...result.steps.map(({ output }) => methodOf(output)));
          });
          return all.filter(({ of, what }) => of === name && what !== "focus").map(({ what }) => what);
        };
        // Two presses that follow one another are two, and neither is taken for half of a double click.
        assert.deepEqual(await lines({ click: target }, { click: target }), [tells, tells]);
        assert.deepEqual(methods, ["XTEST click", "XTEST click"]);
        if (toolkit === "gtk4" && name === "Check") return; // It has no action.
        assert.deepEqual(await lines({ click: { target, background: true } }), [tells]);
        assert.match(methods.at(-1) ?? "", /^Action\.DoAction/);
      });
    }
  });
}
