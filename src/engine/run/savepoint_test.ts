import assert from "node:assert/strict";
import { at, counted, dig, FAILS, settings, trial, verdicts } from "./_trial.ts";

const APP = "sim.settings";
const NAME = `textfield[name="Name"]`;
const set = (value: string) => `set: { target: '${NAME}', value: ${value} }`;

Deno.test("rollback_to undoes what was done since the savepoint, and the flow goes on", async () => {
  await trial(
    settings(`
  - ${set("Grace")}
  - savepoint: filled
  - ${set("Edsger")}
  - set: { target: spinbutton, value: 7 }
  - rollback_to: filled
  - set: { target: slider, value: 80 }`),
    {},
    ({ result, after, events }) => {
      assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["passed", 0, "restored"]);
      assert.deepEqual(verdicts(result), ["restored", "restored"]);
      assert.deepEqual([at(after, APP, "name", "text"), at(after, APP, "copies", "value")], ["Grace", 1]);
      assert.equal(at(after, APP, "volume", "value"), 80);
      assert.deepEqual(events.filter((e) => e.event === "savepoint").map((e) => e.path), ["2"]);
      const named = result.steps.filter((s) => s.operation !== "set").map((s) => [s.name, s.status]);
      assert.deepEqual(named, [["savepoint filled", "passed"], ["rollback_to filled", "passed"]]);
      const [started] = events.filter((e) => e.event === "rollback-started");
      assert.deepEqual([started?.savepoint, started?.reason, started?.path], ["filled", undefined, "5"]);
    },
  );
});

Deno.test("what a savepoint's rollback undid is not rolled back again", async () => {
  await trial(
    settings(`
  - ${set("Grace")}
  - savepoint: filled
  - set: { target: spinbutton, value: 7 }
  - rollback_to: filled
  - set: { target: spinbutton, value: 3 }
${FAILS}`),
    {},
    ({ result, before, after }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
      assert.deepEqual(counted(result).map((s) => s.path), ["3", "5", "1"]);
      assert.deepEqual(after, before);
    },
  );
});

Deno.test("a savepoint of the outer transaction is reached from the inner one, and one of a committed inner one stands", async () => {
  await trial(
    settings(`
  - transaction:
      - ${set("Grace")}
      - savepoint: outer
      - set: { target: spinbutton, value: 7 }
      - transaction:
          - set: { target: slider, value: 80 }
          - rollback_to: outer
          - click: switch
      - transaction:
          - set: { target: spinbutton, value: 5 }
          - savepoint: inner
          - set: { target: slider, value: 30 }
      - rollback_to: inner`),
    {},
    ({ result, after }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [0, "restored"]);
      assert.deepEqual(counted(result).map((s) => s.path), ["1.4.1", "1.3", "1.5.3"]);
      const left = [at(after, APP, "name", "text"), at(after, APP, "copies", "value")];
      assert.deepEqual([...left, at(after, APP, "wifi", "checked")], ["Grace", 5, false]);
      assert.equal(at(after, APP, "volume", "value"), 50);
    },
  );
});

Deno.test("a savepoint that was rolled back with its transaction is none any more", async () => {
  await trial(
    settings(`
  - optional: true
    transaction:
      - savepoint: lost
      - ${set("Grace")}
    ${FAILS}
  - rollback_to: lost`),
    {},
    ({ result, before, after }) => {
      assert.deepEqual([result.exit, result.error?.code, result.error?.place?.line], [1, "workflow", 10]);
      assert.match(result.error?.message ?? "", /rolled back with its transaction/);
      assert.deepEqual(after, before);
    },
  );
});

Deno.test("a savepoint before an irreversible step is out of reach, and nothing is touched", async () => {
  await trial(
    settings(`
  - savepoint: early
  - ${set("Grace")}
  - click: 'button[name="Apply"]'
  - set: { target: spinbutton, value: 7 }
  - optional: true
    rollback_to: early`),
    {},
    ({ result, after }) => {
      assert.deepEqual([result.status, result.rollback.verdict], ["passed", "none"]);
      assert.deepEqual([result.steps.at(-1)?.status, result.steps.at(-1)?.error?.code], [
        "skipped",
        "barrier",
      ]);
      assert.deepEqual([at(after, APP, "name", "text"), at(after, APP, "copies", "value")], ["Grace", 7]);
    },
  );
});

Deno.test("a rollback to a savepoint that meets a person's change fails its step, and names the change", async () => {
  await trial(
    settings(`
  - savepoint: here
  - ${set("Grace")}
  - rollback_to: here`),
    {
      on(event, desktop) {
        if (event.event === "rollback-started") desktop.person(APP, "name", { text: "Mine" });
      },
    },
    ({ result, after }) => {
      assert.deepEqual([result.status, result.exit, result.error?.code], ["failed", 3, "drift"]);
      assert.equal(at(after, APP, "name", "text"), "Mine");
      assert.match(JSON.stringify(result.error?.details), /Mine.*|Ada/);
    },
  );
});

Deno.test("each turn of a loop sets its savepoint anew, and a file that is run has its own", async () => {
  await trial(
    settings(`
  - repeat:
      times: 2
      steps:
        - savepoint: turn
        - set: { target: spinbutton, value: 7 }
        - run: inner.yaml
        - rollback_to: turn`),
    {
      files: {
        "inner.yaml":
          `name: inner\nsteps:\n  - savepoint: turn\n  - set: { target: slider, value: 80 }\n  - rollback_to: turn\n`,
      },
    },
    ({ result, before, after }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [0, "restored"]);
      assert.deepEqual(
        counted(result).map((s) => s.path),
        ["1[1].3.2", "1[1].2", "1[2].3.2", "1[2].2"],
      );
      assert.deepEqual(dig(after, ["applications"]), dig(before, ["applications"]));
    },
  );
});

Deno.test("an irreversible step of the top level stands before a savepoint for what a transaction does, too", async () => {
  await trial(
    settings(`
  - savepoint: early
  - ${set("Grace")}
  - click: 'button[name="Apply"]'
  - transaction:
      - set: { target: spinbutton, value: 7 }
      - rollback_to: early`),
    {},
    ({ result, after }) => {
      assert.equal(result.error?.code, "barrier");
      assert.match(result.error?.message ?? "", /step 3 .* is irreversible/);
      assert.equal(at(after, APP, "name", "text"), "Grace");
    },
  );
});

Deno.test("rollback_to inside a transaction does not go back beyond an irreversible step of the file's own level", async () => {
  await trial(
    settings(`
  - savepoint: start
  - ${set("Grace")}
  - press: Tab
  - transaction:
      - set: { target: spinbutton, value: 7 }
      - rollback_to: start`),
    {},
    ({ result, after }) => {
      assert.equal(result.steps.find((s) => s.path === "4.2")?.error?.code, "barrier");
      assert.deepEqual([result.exit, at(after, APP, "name", "text")], [1, "Grace"]);
      assert.equal(at(after, APP, "copies", "value"), 1, "what the transaction did is rolled back");
    },
  );
});

Deno.test("no optional makes up for a savepoint that was not reached", async () => {
  await trial(
    settings(`
  - transaction:
      - savepoint: start
      - { click: 'button[name="Reset"]', irreversible: true }
      - rollback_to: start
    optional: true`),
    {},
    ({ result }) => {
      assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["failed", 3, "drift"]);
    },
  );
});
