import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { actions, at, bytesOf, counted, dig, FAILS, settings, trial, verdicts } from "../run/_trial.ts";

const EDITOR = (steps: string) => `name: trial\napp: sim.editor\nsteps:\n${steps}`;
const APP = "sim.settings";
const NAME = `textfield[name="Name"]`;

Deno.test("a transaction that fails restores texts, numbers, checks, choices, tabs, scroll bars and the clipboard", async () => {
  await trial(
    settings(`
  - transaction:
      - set: { target: '${NAME}', value: Grace }
      - type: { into: 'textfield[name="E-mail"]', text: 'a@b.c' }
      - click: 'checkbox[name="Notify me"]'
      - set: { target: spinbutton, value: 7 }
      - click: 'radio[name="Dark"]'
      - set: { target: 'combobox[name="Language"]', value: Deutsch }
      - set: { target: 'slider[name="Volume"]', value: 80 }
      - click: switch
      - clipboard: { action: write, text: hello }
      - click: 'tab[name="Advanced"]'
      - scroll: { target: 'checkbox[name="Option 1"]', direction: down, amount: 200 }
    ${FAILS}`),
    {},
    ({ result, before, after, desktop }) => {
      assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["failed", 1, "restored"]);
      assert.deepEqual(verdicts(result), Array(11).fill("restored"));
      assert.equal(result.rollback.enrolled.length, 11);
      assert.deepEqual(result.rollback.drift, []);
      // The scroll bar is built with its page, when that is first seen: only its value counts.
      assert.equal(at(after, APP, "advanced-bar", "value"), 0);
      assert.deepEqual({ ...without(after) }, { ...without(before) });
      // It did happen: every one of these was something else for a while.
      const changed = new Set(desktop.log.entries.flatMap((e) => e.changes.map((c) => c.what)));
      for (const what of ["text", "value", "checked", "chosen", "clipboard"]) {
        assert.ok(changed.has(what), what);
      }
    },
  );
});

function without(world: unknown): object {
  return JSON.parse(JSON.stringify(world), (key, value) => key === "advanced-bar" ? undefined : value);
}

Deno.test("a menu that a failed transaction opened is closed again", async () => {
  await trial(
    EDITOR(`  - transaction:\n      - set: { target: 'menu[name="File"]', value: true }\n    ${FAILS}`),
    { applications: ["sim.editor"] },
    ({ result, before, after, desktop }) => {
      assert.deepEqual([result.exit, verdicts(result)], [1, ["restored"]]);
      assert.equal(result.rollback.enrolled[0]?.kind, "expansion");
      assert.deepEqual(after, before);
      assert.ok(actions(desktop).length >= 2);
    },
  );
});

Deno.test("the caret goes back with its text", async () => {
  await trial(
    EDITOR(`  - transaction:\n      - type: { into: textarea, text: ' more' }\n    ${FAILS}`),
    {
      applications: ["sim.editor"],
      async prepare(desktop) {
        await desktop.typeText("Hello");
        for (let i = 0; i < 3; i++) await desktop.pressKeys(["Left"]);
      },
    },
    async ({ result, after, desktop }) => {
      assert.equal(result.rollback.verdict, "restored");
      assert.equal(at(after, "sim.editor", "text", "text"), "Hello");
      const [application] = await desktop.applications();
      assert.ok(application);
      const snapshot = await desktop.snapshot(application, { fields: ["id"] });
      const row = Array.from({ length: snapshot.size }, (_, r) => r).find((r) => snapshot.id(r) === "text");
      assert.equal((await desktop.read(snapshot.element(row ?? -1))).caret, 2);
    },
  );
});

Deno.test("what is as it was before is left alone: already", async () => {
  await trial(
    settings(`
  - transaction:
      - set: { target: '${NAME}', value: Grace }
      - set: { target: '${NAME}', value: Ada }
    ${FAILS}`),
    {},
    ({ result, before, after }) => {
      assert.deepEqual([result.rollback.verdict, result.exit], ["restored", 1]);
      assert.deepEqual(after, before);
      // The second step set it to Ada again: undoing that writes Grace, and then Ada.
      assert.deepEqual(verdicts(result), ["restored", "restored"]);
    },
  );
  await trial(
    settings(
      `  - transaction:\n      - set: { target: '${NAME}', value: Grace }\n      - { name: person, wait: '${NAME}' }\n    ${FAILS}`,
    ),
    {
      on(event, desktop) {
        if (event.event === "rollback-started") desktop.person(APP, "name", { text: "Ada" });
      },
    },
    ({ result }) => assert.deepEqual([verdicts(result), result.rollback.verdict], [["already"], "restored"]),
  );
});

Deno.test("what a person changed meanwhile is a conflict, named with both values and not overwritten", async () => {
  await trial(
    settings(`  - transaction:\n      - set: { target: '${NAME}', value: Grace }\n    ${FAILS}`),
    {
      on(event, desktop) {
        if (event.event === "rollback-started") desktop.person(APP, "name", { text: "Somebody" });
      },
    },
    ({ result, after }) => {
      assert.equal(at(after, APP, "name", "text"), "Somebody");
      assert.deepEqual([result.exit, result.rollback.verdict, verdicts(result)], [3, "drift", ["conflict"]]);
      const [step] = counted(result);
      assert.match(step?.reason ?? "", /"Somebody".*"Grace".*"Ada"/);
      assert.deepEqual(result.rollback.drift, [{
        participant: 'text of textfield "Name"',
        property: "text",
        expected: "Ada",
        actual: "Somebody",
      }]);
    },
  );
});

Deno.test("what a person changed after the second try of a step is not overwritten by what leads back past the first", async () => {
  await trial(
    settings(
      `  - transaction:\n      - type: { into: '${NAME}', text: t1, clear: false }\n        retry: 1\n    ${FAILS}`,
    ),
    {
      faults: [{ fault: "hang", ms: 15_000, forgets: true, when: { call: "typeText" } }],
      on(event, desktop) {
        if (event.event === "rollback-started") desktop.person(APP, "name", { text: "Somebody" });
      },
    },
    ({ result, after }) => {
      assert.equal(result.steps[0]?.attempts, 2);
      assert.equal(at(after, APP, "name", "text"), "Somebody");
      assert.deepEqual(verdicts(result), ["conflict", "conflict"]);
    },
  );
});

Deno.test("a password is cleared, called unrestorable, and stands nowhere in the run", async () => {
  await trial(
    settings(
      `  - transaction:\n      - set: { target: passwordfield, value: opensesame }\n    ${FAILS}`,
    ),
    { prepare: (desktop) => desktop.person(APP, "pin", { text: "ursprünglich" }) },
    ({ result, events, after, folder, desktop }) => {
      assert.deepEqual([result.exit, result.rollback.verdict, verdicts(result)], [3, "drift", [
        "unrestorable",
      ]]);
      assert.equal(at(after, APP, "pin", "text"), "");
      assert.ok(actions(desktop).includes(`act ${APP}#pin`), "it was written first");
      for (const text of [bytesOf(folder), JSON.stringify(result), JSON.stringify(events)]) {
        assert.doesNotMatch(text, /opensesame|ursprünglich/);
      }
      assert.equal(result.rollback.drift[0]?.property, "text");
    },
  );
});

Deno.test("a password that the step never wrote is not cleared", async () => {
  await trial(
    settings(`  - transaction:\n      - set: { target: passwordfield, value: x }`),
    {
      prepare: (desktop) => desktop.person(APP, "pin", { text: "mine" }),
      faults: [{ fault: "refuse", when: { element: "pin", times: "always" } }, {
        fault: "refuse",
        when: { call: ["typeText", "pressKeys", "pointer"], times: "always" },
      }],
    },
    ({ result, after }) => {
      assert.equal(at(after, APP, "pin", "text"), "mine");
      assert.deepEqual([result.rollback.verdict, result.exit], ["restored", 1]);
    },
  );
});

Deno.test("a text longer than what is read back is not wiped by the rollback", async () => {
  const long = "x".repeat(200_000);
  await trial(
    EDITOR(`  - transaction:\n      - set: { target: textarea, value: short }\n    ${FAILS}`),
    {
      applications: ["sim.editor"],
      prepare: (desktop) => desktop.person("sim.editor", "text", { text: long }),
    },
    ({ result, after }) => {
      const text = at(after, "sim.editor", "text", "text");
      assert.ok(text === long || text === "short", "it may be restored or stay, but never be emptied");
      assert.equal(result.rollback.verdict, text === long ? "restored" : "drift");
    },
  );
});

for (const clock of ["virtual", "real"] as const) {
  Deno.test(`an application that hangs on rollback is unknown and costs its share only (${clock} time)`, async () => {
    const started = performance.now();
    await trial(
      settings(`
  - transaction:
      - clipboard: { action: write, text: hello }
      - set: { target: '${NAME}', value: Grace }
      - set: { target: spinbutton, value: 7 }
    ${FAILS}`),
      {
        clock,
        on(event, desktop) {
          if (event.event !== "rollback-started") return;
          desktop.inject({ fault: "hang", when: { app: APP }, forgets: true });
        },
      },
      ({ result, after }) => {
        assert.deepEqual([result.exit, result.rollback.verdict], [4, "failed"]);
        assert.deepEqual(verdicts(result), ["unknown", "unknown", "restored"]);
        assert.equal(dig(after, ["clipboard"]), null);
        assert.equal(at(after, APP, "name", "text"), "Grace");
        assert.ok(result.rollback.drift.some((d) => /not readable/.test(String(d.actual))));
      },
    );
    assert.ok(performance.now() - started < 20_000);
  });
}

Deno.test("a read-back that lies is no restoration: failed", async () => {
  await trial(
    settings(`  - transaction:\n      - set: { target: '${NAME}', value: Grace }\n    ${FAILS}`),
    {
      on(event, desktop) {
        if (event.event !== "rollback-started") return;
        desktop.inject({ fault: "lie", answer: { text: "Grace" }, when: { call: "act", element: "name" } });
      },
    },
    ({ result }) => {
      assert.deepEqual([result.exit, result.rollback.verdict, verdicts(result)], [4, "failed", ["failed"]]);
    },
  );
});

Deno.test("what reads right at first and drifts before the last look is named", async () => {
  await trial(
    settings(`  - transaction:\n      - set: { target: '${NAME}', value: Grace }\n    ${FAILS}`),
    {
      on(event, desktop) {
        if (event.event === "rollback-step") desktop.person(APP, "name", { text: "Late" });
      },
    },
    ({ result }) => {
      assert.deepEqual([result.exit, result.rollback.verdict, verdicts(result)], [3, "drift", ["restored"]]);
      assert.equal(result.rollback.drift[0]?.actual, "Late");
      assert.equal(result.rollback.enrolled[0]?.verdict, "failed");
    },
  );
});

Deno.test("an element that became another one is never written to", async () => {
  await trial(
    settings(`  - transaction:\n      - click: switch\n    ${FAILS}`),
    {
      on(event, desktop) {
        if (event.event !== "rollback-started") return;
        desktop.inject({
          fault: "recycle",
          element: "wifi",
          as: { name: "Bluetooth" },
          when: { call: "read" },
        });
      },
    },
    ({ result, after }) => {
      assert.equal(at(after, APP, "wifi", "checked"), false, "as the step left it");
      assert.deepEqual([result.exit, verdicts(result)], [4, ["failed"]]);
    },
  );
});

Deno.test("an action that timed out and landed is restored; one that lands late is too", async () => {
  for (const landed of [true, false]) {
    await trial(
      settings(`  - transaction:\n      - set: { target: '${NAME}', value: Grace }`),
      { faults: [{ fault: "timeout", landed, when: { call: "act", element: "name", action: "setText" } }] },
      ({ result, before, after }) => {
        assert.equal(result.error?.code, "timeout");
        assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
        assert.deepEqual(after, before);
      },
    );
  }
  await trial(
    settings(`  - transaction:\n      - set: { target: '${NAME}', value: Grace }`),
    {
      faults: [{
        fault: "timeout",
        landed: false,
        when: { call: "act", element: "name", action: "setText" },
      }],
      on(event, desktop) {
        if (event.event === "rollback-started") desktop.person(APP, "name", { text: "Grace" });
      },
    },
    ({ result, before, after }) => {
      assert.deepEqual(verdicts(result), ["restored"]);
      assert.equal(at(after, APP, "name", "text"), at(before, APP, "name", "text"));
    },
  );
});

Deno.test("a caret that cannot be placed changes nothing about a text that is as before", async () => {
  await trial(
    settings(`  - transaction:\n      - set: { target: '${NAME}', value: Grace }\n    ${FAILS}`),
    {
      on(event, desktop) {
        if (event.event !== "rollback-started") return;
        desktop.person(APP, "name", { text: "Ada" });
        desktop.inject({ fault: "timeout", landed: false, when: { call: "act", action: "caret" } });
      },
    },
    ({ result }) => {
      assert.deepEqual([result.rollback.verdict, verdicts(result)], ["restored", ["already"]]);
      assert.match(counted(result)[0]?.reason ?? "", /caret/);
    },
  );
});

Deno.test("a run whose desktop tells no events on rollback still says what came of it", async () => {
  await trial(
    settings(`  - transaction:\n      - set: { target: '${NAME}', value: Grace }\n    ${FAILS}`),
    {
      on(event, desktop) {
        if (event.event !== "rollback-started") return;
        const next = () =>
          Promise.reject(new BackstepError("no_desktop", "Cannot watch: the desktop is gone"));
        desktop.watch = () => ({ next, take: () => [], close() {} });
      },
    },
    ({ result, before, after }) => {
      assert.deepEqual([result.status, result.rollback.verdict], ["failed", "restored"]);
      assert.deepEqual(after, before);
    },
  );
});

Deno.test("a click that may have opened something nobody looks after is named, never passed over", async () => {
  await trial(
    settings(`
  - transaction:
      - click: { target: 'button[name="Reset"]', button: right }
      - click: { target: 'tab[name="About"]' }
    ${FAILS}`),
    {},
    ({ result }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [3, "drift"]);
      assert.deepEqual(verdicts(result), ["restored", "unrestorable"]);
      assert.deepEqual(result.rollback.drift.map((d) => [d.property, d.actual]), [["effect", "done"]]);
    },
  );
});

const CONFLICT = settings(`  - transaction:\n      - set: { target: '${NAME}', value: Grace }\n    ${FAILS}`);
const interfering: NonNullable<Parameters<typeof trial>[1]["on"]> = (event, desktop) => {
  if (event.event === "rollback-started") desktop.person(APP, "name", { text: "Somebody" });
};

Deno.test("a conflict is reported with what was found, what the step left and what was there before", async () => {
  await trial(CONFLICT, { on: interfering, onConflict: "ask" }, ({ result, after }) => {
    assert.equal(at(after, APP, "name", "text"), "Somebody", "nobody is there to be asked");
    assert.deepEqual(counted(result)[0]?.conflict, {
      property: "text",
      found: "Somebody",
      left: "Grace",
      was: "Ada",
    });
  });
});

Deno.test("on_conflict: force overwrites what somebody changed, and says what it was", async () => {
  await trial(
    CONFLICT.replace("steps:", "on_conflict: force\nsteps:"),
    { on: interfering },
    ({ result, after }) => {
      assert.equal(at(after, APP, "name", "text"), "Ada");
      assert.deepEqual([result.exit, result.rollback.verdict, verdicts(result)], [1, "restored", [
        "restored",
      ]]);
      assert.match(counted(result)[0]?.reason ?? "", /^overwritten: text is "Somebody"/);
      assert.equal(counted(result)[0]?.conflict?.found, "Somebody");
    },
  );
});

Deno.test("on_conflict: ask asks with all three values, and does what is answered", async () => {
  for (const overwrite of [true, false]) {
    const asked: unknown[] = [];
    const askConflict = (question: unknown) => {
      asked.push(question);
      return Promise.resolve(overwrite);
    };
    await trial(CONFLICT, { on: interfering, onConflict: "ask", askConflict }, ({ result, after }) => {
      assert.equal(at(after, APP, "name", "text"), overwrite ? "Ada" : "Somebody");
      assert.equal(result.rollback.verdict, overwrite ? "restored" : "drift");
      assert.deepEqual(asked, [{
        path: "1.1",
        what: 'text of textfield "Name"',
        property: "text",
        found: "Somebody",
        left: "Grace",
        was: "Ada",
      }]);
    });
  }
});

Deno.test("a long text that drifts is named, and not printed whole", async () => {
  await trial(
    settings(
      `  - transaction:\n      - set: { target: '${NAME}', value: '${"a".repeat(5_000)}' }\n    ${FAILS}`,
    ),
    {
      on(event, desktop) {
        if (event.event === "rollback-started") desktop.person(APP, "name", { text: "b".repeat(5_000) });
      },
    },
    ({ result, events }) => {
      assert.equal(result.rollback.verdict, "drift");
      const [drift] = result.rollback.drift;
      assert.ok(
        typeof drift?.actual === "string" && drift.actual.length === 1_000 && drift.actual.endsWith("…"),
      );
      const reported = events.filter((e) => e.event.startsWith("rollback"));
      assert.doesNotMatch(JSON.stringify(reported), /b{1000}|a{1000}/);
    },
  );
});
