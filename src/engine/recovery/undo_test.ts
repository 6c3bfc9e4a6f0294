import assert from "node:assert/strict";
import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import { catalogue } from "../../catalogue.ts";
import { WRITES } from "../../contract/effect.ts";
import { defineOperation } from "../../contract/operation.ts";
import { Attempts } from "../../desktop/actions/attempts.ts";
import { processOf } from "../../participants/process.ts";
import { describeApplication } from "../../desktop/simulated/describe.ts";
import { actions, at, counted, dig, FAILS, settings, trial, verdicts } from "../run/_trial.ts";

const EDITOR = (steps: string, head = "") => `name: trial\napp: sim.editor\n${head}\nsteps:\n${steps}`;
const ON_EDITOR = { applications: ["sim.editor"] };
const APP = "sim.settings";

Deno.test("a push button inside a transaction is refused before the action", async () => {
  await trial(
    settings(`  - transaction:
      - set: { target: 'textfield[name="Name"]', value: Grace }
      - click: 'button[name="Apply"]'`),
    {},
    ({ result, before, after, desktop }) => {
      assert.equal(result.error?.code, "barrier");
      assert.match(result.error?.hint ?? "", /undo/);
      assert.equal(result.error?.place?.line, 7);
      assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
      assert.deepEqual(after, before);
      assert.ok(!actions(desktop).includes(`act ${APP}#apply`));
    },
  );
});

Deno.test("a declared irreversible step passes, stays, and is named in the drift", async () => {
  await trial(
    settings(`  - transaction:
      - set: { target: 'textfield[name="Name"]', value: Grace }
      - click: 'button[name="Apply"]'
        irreversible: true
    ${FAILS}`),
    {},
    ({ result, after }) => {
      assert.equal(at(after, APP, "name", "text"), "Ada");
      assert.equal(dig(after, ["applications", APP, "state", "applied"]), 1);
      assert.deepEqual([result.exit, result.rollback.verdict], [3, "drift"]);
      assert.deepEqual(verdicts(result), ["unrestorable", "restored"]);
      assert.deepEqual(result.rollback.drift, [{
        participant: 'click button "Apply" of Settings',
        property: "effect",
        expected: "not done",
        actual: "done",
      }]);
    },
  );
});

Deno.test("an author who says that a step is irreversible is believed although it could be restored", async () => {
  await trial(
    settings(`  - set: { target: 'textfield[name="Name"]', value: Grace }
    irreversible: true
  - set: { target: spinbutton, value: 3 }
${FAILS}`),
    {},
    ({ result, after }) => {
      assert.deepEqual([result.rollback.verdict, result.rollback.barrier?.path], ["restored", "1"]);
      assert.equal(at(after, APP, "name", "text"), "Grace");
      assert.equal(at(after, APP, "copies", "value"), 1);
    },
  );
});

Deno.test("at the top level of a file the rollback ends at the last barrier, and says so", async () => {
  await trial(
    settings(`  - set: { target: 'textfield[name="Name"]', value: Grace }
  - click: 'button[name="Apply"]'
  - set: { target: spinbutton, value: 3 }
${FAILS}`),
    {},
    ({ result, events, after }) => {
      assert.equal(at(after, APP, "name", "text"), "Grace");
      assert.equal(at(after, APP, "copies", "value"), 1);
      assert.deepEqual([result.exit, result.rollback.verdict, verdicts(result)], [1, "restored", [
        "restored",
      ]]);
      assert.deepEqual(result.rollback.barrier, { path: "2", name: 'click button "Apply" of Settings' });
      assert.ok(events.some((e) => e.event === "note" && /ends after step 2.*irreversible/.test(e.message)));
    },
  );
});

Deno.test("a barrier of unknown outcome is exit 4, and done_when resolves the doubt", async () => {
  const fault = { fault: "timeout", landed: true, when: { call: "act", element: "apply" } } as const;
  const steps = (more: string) =>
    settings(`  - set: { target: spinbutton, value: 3 }
  - click: 'button[name="Apply"]'${more}
${FAILS}`);
  await trial(steps(""), { faults: [fault] }, ({ result }) => {
    assert.deepEqual([result.exit, result.steps[1]?.status], [4, "failed"]);
  });
  const done = `\n    done_when: { target: 'button[name="Apply"]', enabled: false }`;
  await trial(steps(done), { faults: [fault] }, ({ result }) => {
    assert.deepEqual([result.exit, result.steps[1]?.status, result.steps[2]?.status], [
      1,
      "passed",
      "failed",
    ]);
  });
  await trial(steps(done), { faults: [{ ...fault, landed: false }] }, ({ result, before, after }) => {
    assert.deepEqual([result.exit, result.error?.code], [1, "timeout"]);
    assert.deepEqual(after, before, "it is known not to have happened, so the rollback goes past it");
  });
});

/** Opens a dialog that its step knows how to close, and fails. */
const OPENS_AND_FAILS = EDITOR(`  - transaction:
      - press: ctrl+s
        undo: [ { press: Escape } ]
    ${FAILS}`);

Deno.test("an undo runs while the dialog that the step opened still stands", async () => {
  await trial(
    OPENS_AND_FAILS,
    ON_EDITOR,
    ({ result, before, after }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
      assert.deepEqual(counted(result).map((s) => [s.verdict, s.method]), [["compensated", "undo"]]);
      assert.deepEqual(after, before);
    },
  );
});

Deno.test("an undo does not run when what the step left is gone", async () => {
  await trial(
    EDITOR(`  - transaction:
      - press: ctrl+s
        undo: [ { press: ctrl+n } ]
    ${FAILS}`),
    {
      ...ON_EDITOR,
      prepare: (desktop) => desktop.person("sim.editor", "text", { text: "Hello" }),
      on(event, desktop) {
        // A person answers the dialog.
        if (event.event === "rollback-started") void desktop.pressKeys(["Escape"]);
      },
    },
    ({ result, after }) => {
      assert.deepEqual([verdicts(result), result.rollback.verdict], [["already"], "restored"]);
      assert.equal(at(after, "sim.editor", "text", "text"), "Hello", "ctrl+n would have emptied it");
    },
  );
});

Deno.test("an undo does not run into another dialog: conflict", async () => {
  await trial(
    OPENS_AND_FAILS,
    {
      ...ON_EDITOR,
      prepare(desktop) {
        desktop.person("sim.editor", "text", { text: "Hello" });
        desktop.writeFile("/home/sim/Documents/a", "old");
      },
      on(event, desktop) {
        if (event.event !== "rollback-started") return;
        void desktop.typeText("a\n");
      },
    },
    ({ result }) => {
      assert.deepEqual([verdicts(result), result.rollback.verdict, result.exit], [["conflict"], "drift", 3]);
      assert.equal(result.rollback.drift[0]?.property, "effect");
    },
  );
});

Deno.test("an undo does not run where its application died: conflict, and the report says why", async () => {
  await trial(
    OPENS_AND_FAILS,
    {
      ...ON_EDITOR,
      on(event, desktop) {
        if (event.event === "rollback-started") desktop.quit("sim.editor", { force: true });
      },
    },
    ({ result }) => {
      assert.deepEqual(counted(result).map(({ verdict, reason }) => [verdict, reason]), [
        ["conflict", "its application does not run any more"],
      ]);
    },
  );
});

Deno.test("a declared guard decides whether its undo runs", async () => {
  for (const [there, verdict] of [["Save", "compensated"], ["Elsewhere", "already"]] as const) {
    await trial(
      EDITOR(`  - transaction:
      - press: ctrl+s
        undo: { guard: { exists: 'dialog[name="${there}"]' }, steps: [ { press: Escape } ] }
    ${FAILS}`),
      ON_EDITOR,
      ({ result, after }) => {
        assert.deepEqual(verdicts(result), [verdict]);
        assert.equal(JSON.stringify(after).includes("save-dialog"), verdict === "already");
      },
    );
  }
});

Deno.test("an undo of an action in doubt is not run blindly", async () => {
  await trial(
    EDITOR(`  - transaction:
      - press: ctrl+s
        undo: [ { press: ctrl+n } ]`),
    {
      ...ON_EDITOR,
      prepare: (desktop) => desktop.person("sim.editor", "text", { text: "Hello" }),
      faults: [{ fault: "timeout", landed: false, when: { call: "pressKeys" } }],
    },
    ({ result, after }) => {
      assert.deepEqual([verdicts(result), result.exit], [["unknown"], 4]);
      assert.equal(at(after, "sim.editor", "text", "text"), "Hello");
      assert.equal(result.rollback.drift[0]?.actual, "not known");
    },
  );
  await trial(
    EDITOR(`  - transaction:
      - press: ctrl+s
        undo: [ { press: Escape } ]`),
    { ...ON_EDITOR, faults: [{ fault: "timeout", landed: true, when: { call: "pressKeys" } }] },
    ({ result, before, after }) => {
      assert.deepEqual(verdicts(result), ["compensated"], "the dialog shows that it landed");
      assert.deepEqual(after, before);
    },
  );
});

Deno.test("an undo that fails is failed, and named", async () => {
  await trial(
    EDITOR(`  - transaction:
      - press: ctrl+s
        undo: [ { click: { target: 'button[name="Elsewhere"]' }, timeout: 50ms } ]
    ${FAILS}`),
    ON_EDITOR,
    ({ result }) => {
      assert.deepEqual([verdicts(result), result.rollback.verdict, result.exit], [["failed"], "failed", 4]);
    },
  );
});

Deno.test("fields of a dialog that a step opened are verified before its undo closes it", async () => {
  await trial(
    EDITOR(`  - transaction:
      - press: ctrl+s
        undo: [ { press: Escape } ]
      - set: { target: 'dialog textfield', value: draft.txt }
    ${FAILS}`),
    ON_EDITOR,
    ({ result, before, after }) => {
      assert.deepEqual(verdicts(result), ["restored", "compensated"]);
      assert.deepEqual([result.rollback.verdict, result.rollback.drift, result.exit], ["restored", [], 1]);
      assert.deepEqual(result.rollback.enrolled.map((e) => [e.label, e.verdict]), [
        ['text of textfield "Name"', "restored"],
      ]);
      assert.deepEqual(after, before);
    },
  );
});

Deno.test("an application that a step launched is quit again; one that ran before stays", async () => {
  const steps = `  - launch: sim.calculator\n  - launch: sim.settings\n${FAILS}`;
  await trial(settings(steps), {}, ({ result, before, after }) => {
    assert.deepEqual(counted(result).map((s) => [s.path, s.what, s.verdict, s.method]), [
      ["2", "process sim.settings", "already", undefined],
      ["1", "deed launch sim.calculator", "compensated", "quit"],
      ["1", "process sim.calculator", "already", undefined],
    ]);
    assert.deepEqual([result.exit, dig(after, ["applications"])], [1, dig(before, ["applications"])]);
  });
});

Deno.test("steps of the rollback stand in the result under their own paths", async () => {
  await trial(
    EDITOR(`  - press: ctrl+s
    undo: [ { press: Escape } ]
${FAILS}`),
    ON_EDITOR,
    ({ result }) => assert.deepEqual(result.steps.map((s) => s.path), ["1", "2", "1.undo.1"]),
  );
});

Deno.test("a rollback may use what its step answered", async () => {
  const counter = describeApplication("test.counter", [
    { kind: "entry", key: "name", name: "Name", text: "old" },
    { kind: "button", key: "wipe", name: "Wipe" },
  ], (application) => ({ press: () => void application.setText("name", "") }));
  await trial(
    `name: t\napp: test.counter\nsteps:
  - value: textfield
    id: was
  - transaction:
      - click: 'button[name="Wipe"]'
        undo: [ { set: { target: textfield, value: '{{steps.was.value}}' } } ]
    ${FAILS}`,
    { applications: [counter] },
    ({ result, after }) => {
      assert.equal(result.rollback.verdict, "restored");
      assert.equal(at(after, "test.counter", "name", "text"), "old");
    },
  );
});

Deno.test("a barrier of several keys is in doubt when the second was not sent", async () => {
  await trial(
    settings(`  - { press: { keys: 'Tab Tab' }, retry: 2 }`),
    {
      faults: [{ fault: "timeout", landed: false, outcome: "not_sent", when: { call: "pressKeys", at: 2 } }],
    },
    ({ result, desktop }) => {
      assert.deepEqual([result.exit, result.steps[0]?.attempts], [4, undefined]);
      assert.equal(desktop.log.entries.filter((entry) => entry.did === "pressKeys").length, 2);
    },
  );
});

Deno.test("after: of a file that an undo runs comes although the file fails", async () => {
  await trial(
    settings(`
  - transaction:
      - press: Escape
        undo: { guard: { exists: switch }, steps: [ { run: back.yaml } ] }
    ${FAILS}`),
    {
      files: {
        "back.yaml": `name: back
steps: [ { click: 'button[name="Elsewhere"]', timeout: 50ms } ]
after: [ { clipboard: { action: write, text: afterwards } } ]`,
      },
    },
    ({ result, after }) => {
      assert.deepEqual([verdicts(result), result.exit], [["failed"], 4]);
      assert.equal(dig(after, ["clipboard"]), "afterwards");
    },
  );
});

Deno.test("in the raw tool form an irreversible step counts as declared: passed by the rollback, named, never restored", async () => {
  for (const indent of [false, true]) {
    const steps = `  - set: { target: 'textfield[name="Name"]', value: Grace }
  - { tool: ax_click, args: { query: Apply } }
  - set: { target: spinbutton, value: 3 }
${FAILS}`;
    const yaml = indent ? `  - transaction:\n${steps.replaceAll(/^/gm, "    ")}` : steps;
    await trial(settings(yaml), {}, ({ result, after }) => {
      assert.deepEqual([at(after, APP, "name", "text"), at(after, APP, "copies", "value")], ["Ada", 1]);
      assert.equal(dig(after, ["applications", APP, "state", "applied"]), 1);
      assert.deepEqual([result.exit, result.rollback.verdict, result.rollback.barrier], [
        3,
        "drift",
        undefined,
      ]);
      assert.deepEqual(verdicts(result), ["restored", "unrestorable", "restored"]);
      assert.deepEqual(result.rollback.drift.map((d) => [d.participant, d.actual]), [
        ['click button "Apply" of Settings', "done"],
      ]);
    });
  }
});

Deno.test("abort stops without undoing", async () => {
  await trial(
    settings(`  - set: { target: 'textfield[name="Name"]', value: Grace }
  - { tool: ax_click, args: { query: Nowhere }, on_fail: abort, timeout: 100ms }`),
    {},
    ({ result, after }) => {
      assert.equal(at(after, APP, "name", "text"), "Grace");
      assert.deepEqual([result.exit, result.rollback.verdict], [1, "none"]);
    },
  );
});

Deno.test("what done_when says is done is not done again", async () => {
  await trial(
    settings(`  - click: 'button[name="Apply"]'
    done_when: { target: 'button[name="Apply"]', enabled: false, within: 10s }`),
    {},
    ({ result, desktop }) => {
      assert.deepEqual([result.exit, result.steps[0]?.status], [0, "passed"]);
      assert.deepEqual(result.steps[0]?.output, { done_when: true, already: true });
      assert.ok(!actions(desktop).includes(`act ${APP}#apply`));
    },
  );
});

Deno.test("a launch whose answer never came is rolled back by what runs, not by what was answered", async () => {
  const launch = defineOperation({
    name: "launch-unheard",
    title: "Launch, and hear nothing",
    description: "Launches an application; its answer never comes.",
    input: z.strictObject({ app: z.string() }),
    output: z.strictObject({}),
    hints: { ...WRITES, destructive: false },
    views: { yaml: { verb: "launch_unheard" } },
    resolve: ({ session }) => Promise.resolve(session.launcher),
    effect: () => "compensable",
    protects: ({ app }, launcher) => [processOf(launcher, app)],
    async act({ session }, { app }) {
      await session.launcher.launch(app);
      throw new BackstepError("timeout", "Cannot launch: no answer", { details: { outcome: "unknown" } });
    },
  });
  await trial(
    settings(`  - launch_unheard: { app: sim.calculator }`),
    { operations: [...catalogue, launch] },
    ({ result, before, after }) => {
      assert.deepEqual([result.exit, result.rollback.verdict, verdicts(result)], [1, "restored", [
        "restored",
      ]]);
      assert.deepEqual(dig(after, ["applications"]), dig(before, ["applications"]));
    },
  );
});

Deno.test("an irreversible action that is refused in the background is known not to have happened: no doubt is left", async () => {
  const press = defineOperation({
    name: "push",
    title: "Push",
    description: "Tries its ways, of which only the pointer is left.",
    input: z.strictObject({}),
    output: z.strictObject({}),
    hints: WRITES,
    views: { yaml: { verb: "push" } },
    resolve: () => Promise.resolve(undefined),
    effect: () => "irreversible",
    act() {
      const attempts = new Attempts("push it");
      attempts.refuse("Action.DoAction", "unsupported", "it offers no action");
      attempts.refuse("XTEST click", "needs_focus", "it takes the pointer");
      throw attempts.failure();
    },
  });
  await trial(
    settings("  - push: {}"),
    { operations: [...catalogue, press] },
    ({ result }) => assert.deepEqual([result.error?.code, result.exit], ["needs_focus", 1]),
  );
});

Deno.test("an undo that changes what was restored already is seen to: drift", async () => {
  await trial(
    settings(`
  - click: 'button[name="Reset"]'
    undo: [ { set: { target: 'textfield[name="E-mail"]', value: undone } } ]
  - set: { target: 'textfield[name="E-mail"]', value: mine }
${FAILS}`),
    {},
    ({ result, after }) => {
      assert.equal(at(after, "sim.settings", "email", "text"), "undone");
      assert.deepEqual([result.rollback.verdict, result.exit], ["drift", 3]);
      assert.deepEqual(result.rollback.drift.map((d) => [d.expected, d.actual]), [["", "undone"]]);
    },
  );
});

Deno.test("an application that died does not say through done_when that nothing happened", async () => {
  await trial(
    settings(`
  - click: 'button[name="Reset"]'
    done_when: { exists: 'status[name="Changes undone"]' }`),
    { faults: [{ fault: "die", landed: true, when: { call: "act" } }] },
    ({ result }) => {
      assert.deepEqual([result.status, result.exit], ["failed", 4], "whether it happened is not known");
    },
  );
});

Deno.test("a step whose target was never found has touched nothing: its effect is read", async () => {
  await trial(
    settings(`  - set: { target: 'textfield[name="Nowhere"]', value: x, }\n    timeout: 50ms`),
    {},
    ({ result }) => {
      assert.deepEqual(result.steps.map((step) => [step.status, step.effect]), [["failed", "read"]]);
    },
  );
});
