import assert from "node:assert/strict";
import { describeApplication } from "../../desktop/simulated/describe.ts";
import type { RunResult } from "../../contract/events.ts";
import { actions, at, dig, FAILS, settings, trial } from "./_trial.ts";

const APP = "sim.settings";
const NAME = `textfield[name="Name"]`;
const passed = (result: RunResult) => result.steps.map((s) => `${s.path} ${s.status}`);
const timeout = (element: string, landed: boolean, times = 1) =>
  ({ fault: "timeout", landed, when: { call: ["act", "typeText"], element, times } }) as const;

Deno.test("an idempotent step is tried again", async () => {
  await trial(
    settings(`  - { set: { target: '${NAME}', value: Grace }, retry: 2 }`),
    { faults: [timeout("name", false, 2)] },
    ({ result, after, events }) => {
      assert.deepEqual([result.exit, result.steps[0]?.attempts], [0, 3]);
      assert.equal(at(after, APP, "name", "text"), "Grace");
      assert.equal(events.filter((e) => e.event === "step-retried").length, 2);
    },
  );
});

Deno.test("a restorable step is rolled back before it is tried again", async () => {
  await trial(
    settings(`  - { type: { into: '${NAME}', text: ' Lovelace' }, retry: 1 }`),
    { faults: [{ fault: "timeout", landed: true, when: { call: "typeText" } }] },
    ({ result, after, desktop }) => {
      assert.deepEqual([result.exit, result.steps[0]?.attempts], [0, 2]);
      assert.equal(at(after, APP, "name", "text"), "Ada Lovelace");
      assert.deepEqual(actions(desktop).filter((d) => d.startsWith("typeText")).length, 2);
    },
  );
});

Deno.test("a restorable step is not tried again over what a person writes meanwhile", async () => {
  await trial(
    settings(`  - { type: { into: '${NAME}', text: '!' }, retry: 1 }`),
    {
      faults: [{ fault: "timeout", landed: true, when: { call: "typeText" } }],
      // The engine reads what the action left, and looks again before it restores it: a person is in between.
      prepare(desktop) {
        const typeText = desktop.typeText.bind(desktop);
        desktop.typeText = (text, call) => {
          const when = { call: "read", element: "name", at: 2 } as const;
          desktop.inject({ fault: "interfere", element: "name", set: { text: "Mine" }, when });
          return typeText(text, call);
        };
      },
    },
    ({ result, after, desktop, events }) => {
      assert.equal(at(after, APP, "name", "text"), "Mine");
      assert.equal(result.steps[0]?.attempts, undefined);
      assert.equal(actions(desktop).filter((d) => d.startsWith("typeText")).length, 1);
      assert.ok(events.some((e) => e.event === "note" && /not tried again: .*conflict/.test(e.message)));
    },
  );
});

Deno.test("an irreversible step is never repeated blindly", async () => {
  await trial(
    settings(`  - set: { target: '${NAME}', value: Grace }
  - { click: 'button[name="Apply"]', retry: 3 }`),
    { faults: [timeout("apply", true, 1)] },
    ({ result, desktop }) => {
      assert.deepEqual([result.exit, result.steps[1]?.attempts], [4, undefined]);
      assert.equal(actions(desktop).filter((d) => d === `act ${APP}#apply`).length, 1);
    },
  );
});

Deno.test("done_when lets an action that landed pass, and repeats one that did not", async () => {
  for (const landed of [true, false]) {
    await trial(
      settings(`  - set: { target: '${NAME}', value: Grace }
  - click: 'button[name="Apply"]'
    retry: 1
    done_when: { target: 'button[name="Apply"]', enabled: false }`),
      { faults: [timeout("apply", landed)] },
      ({ result, desktop }) => {
        assert.deepEqual([result.exit, result.steps[1]?.attempts ?? 1], [0, landed ? 1 : 2]);
        assert.equal(actions(desktop).filter((d) => d === `act ${APP}#apply`).length, 1);
      },
    );
  }
});

Deno.test("an optional step that fails is skipped with its error, and the flow goes on", async () => {
  await trial(
    settings(`  - { click: 'button[name="Nowhere"]', optional: true, timeout: 50ms }
  - optional: true
    if: { exists: '${NAME}' }
    then: [ { click: 'button[name="Nowhere"]', timeout: 50ms } ]
  - set: { target: '${NAME}', value: Grace }`),
    {},
    ({ result, after }) => {
      assert.deepEqual(passed(result), ["1 skipped", "2.then.1 failed", "3 passed"]);
      assert.deepEqual([result.exit, result.steps[0]?.error?.code], [0, "not_found"]);
      assert.equal(at(after, APP, "name", "text"), "Grace");
    },
  );
});

Deno.test("no optional makes up for a transaction that could not be undone", async () => {
  await trial(
    settings(`  - optional: true
    transaction:
      - set: { target: passwordfield, value: x }
      - assert: { target: 'button[name="Nowhere"]', timeout: 0 }`),
    {},
    ({ result }) => assert.deepEqual([result.status, result.exit], ["failed", 3]),
  );
  await trial(
    settings(`  - optional: true
    transaction:
      - set: { target: '${NAME}', value: x }
      - assert: { target: 'button[name="Nowhere"]', timeout: 0 }`),
    {},
    ({ result, before, after }) => {
      assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["passed", 0, "restored"]);
      assert.deepEqual(after, before);
    },
  );
});

Deno.test("if takes the branch of its condition; a step's own if skips it", async () => {
  await trial(
    settings(`  - if: { exists: 'button[name="Apply"]' }
    then: [ { set: { target: spinbutton, value: 2 } } ]
    else: [ { set: { target: spinbutton, value: 3 } } ]
  - if: { not: { target: '${NAME}', value: Ada } }
    then: [ { set: { target: spinbutton, value: 4 } } ]
    else: [ { set: { target: 'slider', value: 90 } } ]
  - set: { target: spinbutton, value: 5 }
    if: { equals: [1, 2] }`),
    {},
    ({ result, after }) => {
      assert.deepEqual(passed(result), ["1.then.1 passed", "2.else.1 passed", "3 skipped"]);
      assert.deepEqual([at(after, APP, "copies", "value"), at(after, APP, "volume", "value")], [2, 90]);
    },
  );
});

Deno.test("repeat counts turns, or ends when its condition holds after one", async () => {
  const counter = describeApplication("test.counter", [
    { kind: "button", key: "more", name: "More" },
    { kind: "label", key: "shown", id: "shown", name: "0" },
  ], (app) => ({ press: () => void app.setName("shown", String(Number(app.name("shown")) + 1)) }));
  const run = (steps: string, check: (count: unknown, result: RunResult) => void) =>
    trial(
      `name: t\napp: test.counter\nsteps:\n${steps}`,
      { applications: [counter] },
      ({ result, after }) => check(at(after, "test.counter", "shown", "name"), result),
    );
  await run(`  - repeat: { times: 3, steps: [ { click: 'button' } ] }`, (count, result) => {
    assert.equal(count, "3");
    assert.deepEqual(passed(result), ["1[1].1 passed", "1[2].1 passed", "1[3].1 passed"]);
  });
  await run(
    `  - repeat:
      until: { equals: ['{{steps.now.value}}', '2'] }
      steps: [ { click: 'button' }, { value: 'label', id: now } ]`,
    (count, result) => assert.deepEqual([count, result.exit], ["2", 0]),
  );
  await run(
    `  - repeat: { times: 2, until: { exists: 'label[name="9"]' }, steps: [ { click: 'button' } ] }`,
    (count, result) => assert.deepEqual([count, result.error?.code], ["2", "assertion"]),
  );
});

Deno.test("for_each gives each item to its steps, with its type", async () => {
  await trial(
    settings(
      `  - for_each:
      in: '{{vars.rows}}'
      as: row
      steps: [ { set: { target: '{{vars.row.field}}', value: '{{vars.row.value}}' } } ]`,
      `vars: { rows: [ { field: spinbutton, value: 7 }, { field: 'checkbox[name="Play sounds"]', value: true } ] }`,
    ),
    {},
    ({ result, after }) => {
      assert.deepEqual(passed(result), ["1[1].1 passed", "1[2].1 passed"]);
      assert.deepEqual([at(after, APP, "copies", "value"), at(after, APP, "sound", "checked")], [7, true]);
    },
  );
});

Deno.test("what is filled in is a value and is never filled in again", async () => {
  await trial(
    settings(`  - value: '${NAME}'
  - set: { target: 'textfield[name="E-mail"]', value: '{{step_1.value}}' }`),
    { prepare: (desktop) => desktop.person(APP, "name", { text: "{{vars.x}} {{secrets.Y}}" }) },
    ({ after }) => assert.equal(at(after, APP, "email", "text"), "{{vars.x}} {{secrets.Y}}"),
  );
});

Deno.test("a file that is run has variables and step numbers of its own", async () => {
  await trial(
    settings(`  - value: spinbutton
  - run: child.yaml
    with: { copies: '{{step_1.value}}' }
  - set: { target: slider, value: '{{step_1.value}}' }`),
    {
      files: {
        "child.yaml": `name: child
vars: { copies: { type: number }, name: { type: string, default: Grace } }
steps:
  - set: { target: '${NAME}', value: '{{vars.name}}' }
  - value: '${NAME}'
  - set: { target: 'textfield[name="E-mail"]', value: '{{step_2.value}} {{vars.copies}}' }`,
      },
    },
    ({ result, after }) => {
      assert.deepEqual(passed(result), ["1 passed", "2.1 passed", "2.2 passed", "2.3 passed", "3 passed"]);
      assert.deepEqual([at(after, APP, "email", "text"), at(after, APP, "volume", "value")], ["Grace 1", 1]);
    },
  );
});

Deno.test("a value of another type than a file's variable is refused when it is known", async () => {
  await trial(
    settings(`  - value: '${NAME}'
  - run: child.yaml
    with: { copies: '{{step_1.value}}' }`),
    { files: { "child.yaml": `name: child\nvars: { copies: { type: number } }\nsteps: []` } },
    ({ result }) => {
      assert.deepEqual([result.exit, result.error?.code, result.error?.place?.line], [1, "workflow", 6]);
      assert.match(result.error?.message ?? "", /"copies" is a number, not a string/);
    },
  );
});

Deno.test("after: of a file that is run comes after the rollback, which may need what it closes", async () => {
  await trial(
    `name: t\nsteps:\n  - run: child.yaml`,
    {
      applications: [],
      files: {
        "child.yaml": `name: child
app: sim.settings
before: [ { launch: sim.settings } ]
steps:
  - set: { target: '${NAME}', value: Hello }
  - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
after: [ { launch: sim.list } ]`,
      },
    },
    ({ result, before, after }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
      assert.deepEqual(dig(before, ["applications"]), {});
      assert.deepEqual(Object.keys(Object(dig(after, ["applications"]))), ["sim.list"]);
      assert.equal(result.steps.at(-1)?.path, "1.after.1");
    },
  );
});

Deno.test("an inner transaction that commits is rolled back with the outer one", async () => {
  await trial(
    settings(`  - transaction:
      - set: { target: '${NAME}', value: Grace }
      - transaction:
          - set: { target: spinbutton, value: 7 }
      - optional: true
        transaction:
          - set: { target: slider, value: 10 }
          - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
      - assert: { target: slider, value: '50' }
    ${FAILS}`),
    {},
    ({ result, before, after }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
      assert.deepEqual(result.rollback.steps.filter((s) => !s.incidental).map((s) => s.path), [
        "1.3.1",
        "1.2.1",
        "1.1",
      ]);
      assert.ok(passed(result).includes("1.4 passed"), "the optional one was rolled back at once");
      assert.deepEqual(after, before);
    },
  );
});

Deno.test("a transaction with retry is rolled back and run again", async () => {
  await trial(
    settings(`  - retry: 1
    transaction:
      - type: { into: '${NAME}', text: '!' }
      - set: { target: spinbutton, value: 7 }`),
    { faults: [timeout("copies", false)] },
    ({ result, after, events }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [0, "restored"]);
      assert.deepEqual([at(after, APP, "name", "text"), at(after, APP, "copies", "value")], ["Ada!", 7]);
      const reported = events.flatMap((e) => e.event === "transaction-finished" ? [e.committed] : []);
      assert.deepEqual(reported, [false, true]);
    },
  );
});

Deno.test("on_failure decides what a failure does to the rest", async () => {
  const steps =
    `  - set: { target: '${NAME}', value: Grace }\n${FAILS}\n  - set: { target: spinbutton, value: 7 }`;
  for (
    const [policy, name, copies, verdict] of [
      ["rollback", "Ada", 1, "restored"],
      ["stop", "Grace", 1, "none"],
      ["continue", "Grace", 7, "none"],
    ] as const
  ) {
    await trial(settings(steps, `on_failure: ${policy}`), {}, ({ result, after }) => {
      assert.deepEqual([at(after, APP, "name", "text"), at(after, APP, "copies", "value")], [name, copies]);
      assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["failed", 1, verdict]);
    });
  }
});

Deno.test("on_fail of a raw tool step is stronger than the file", async () => {
  for (
    const [policy, name, status] of [
      ["rollback", "Ada", "failed"],
      ["skip", "Grace", "passed"],
      ["abort", "Grace", "failed"],
    ] as const
  ) {
    await trial(
      settings(
        `  - set: { target: '${NAME}', value: Grace }
  - tool: ax_assert
    args: { query: 'button[name="Nowhere"]', assertions: { exists: true } }
    on_fail: ${policy}
    timeout: 50ms`,
        `on_failure: ${policy === "rollback" ? "stop" : "rollback"}`,
      ),
      {},
      ({ result, after }) => {
        assert.deepEqual([at(after, APP, "name", "text"), result.status], [name, status]);
      },
    );
  }
});

Deno.test("before is set up outside of the rollback, and after always runs", async () => {
  await trial(
    `name: t\napp: sim.settings
before: [ { launch: sim.settings }, { set: { target: slider, value: 70 } } ]
after: [ { click: 'button[name="Nowhere"]', timeout: 20ms }, { set: { target: spinbutton, value: 9 } } ]
steps:
  - set: { target: '${NAME}', value: Grace }\n${FAILS}`,
    { applications: [] },
    ({ result, after }) => {
      assert.deepEqual(result.steps.map((s) => s.path), [
        "before.1",
        "before.2",
        "1",
        "2",
        "after.1",
        "after.2",
      ]);
      assert.deepEqual(
        [
          at(after, APP, "volume", "value"),
          at(after, APP, "name", "text"),
          at(after, APP, "copies", "value"),
        ],
        [70, "Ada", 9],
      );
      assert.deepEqual([result.exit, result.error?.code], [1, "assertion"]);
    },
  );
});

Deno.test("expect says whether the outcome is the one that was meant", async () => {
  for (
    const [expect, met] of [["{ status: failed, rollback: restored }", true], ["{ status: passed }", false]]
  ) {
    await trial(
      settings(`  - set: { target: '${NAME}', value: Grace }\n${FAILS}`, `expect: ${expect}`),
      {},
      ({ result }) => assert.deepEqual([result.exit, result.expected], [1, met]),
    );
  }
});

Deno.test("a transaction is not tried again over what an inner one could not undo", async () => {
  await trial(
    settings(`  - retry: 2
    transaction:
      - transaction:
          - set: { target: passwordfield, value: x }
          - assert: { target: 'button[name="Nowhere"]', timeout: 0 }`),
    {},
    ({ result, events }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [3, "drift"]);
      assert.equal(result.steps.filter((step) => step.operation === "set").length, 1);
      assert.ok(!events.some((event) => event.event === "step-retried"));
    },
  );
});
