import assert from "node:assert/strict";
import { describeApplication } from "../../desktop/simulated/describe.ts";
import { at, settings, trial, verdicts } from "./_trial.ts";

const APP = "sim.settings";
const NAME = `textfield[name="Name"]`;

Deno.test("a step that changes only what it may passes", async () => {
  await trial(
    settings(`
  - set: { target: '${NAME}', value: Grace }
    changes: { only: ['${NAME}', 'button[name="Apply"]'], include: ['${NAME}'] }`),
    {},
    ({ result }) => assert.deepEqual([result.exit, result.steps[0]?.status], [0, "passed"]),
  );
});

Deno.test("a step that changes something else fails with each difference, and is rolled back", async () => {
  await trial(
    settings(`
  - transaction:
      - click: 'radio[name="Dark"]'
        changes: { only: ['radio[name="Dark"]'] }`),
    {},
    ({ result, before, after }) => {
      assert.deepEqual([result.exit, result.error?.code, result.rollback.verdict], [
        1,
        "assertion",
        "restored",
      ]);
      assert.match(result.error?.message ?? "", /checked of radio "Light" was true and is false/);
      assert.deepEqual(result.error?.details?.["missing"], []);
      assert.equal(result.error?.place?.line, 7);
      assert.deepEqual(after, before);
    },
  );
});

Deno.test("a step that does not change what it must fails, and a second try does not pass for nothing", async () => {
  await trial(
    settings(`
  - set: { target: '${NAME}', value: Grace }
    changes: { include: [slider] }
    retry: 1`),
    {},
    ({ result, before, after, events }) => {
      assert.deepEqual([result.exit, result.error?.code, result.steps[0]?.attempts], [1, "assertion", 2]);
      assert.match(result.error?.message ?? "", /slider did not change/);
      assert.equal(events.filter((e) => e.event === "step-retried").length, 1);
      assert.deepEqual(verdicts(result), ["already", "restored"].reverse());
      assert.deepEqual(after, before);
    },
  );
});

/** A window with a clock in it. */
const WITH_CLOCK = describeApplication("test.clock", [
  { kind: "entry", key: "name", name: "Name", text: "Ada" },
  { kind: "check", key: "box", name: "Box" },
  { kind: "label", key: "clock", name: "00:00" },
]);
const ticking = (ms: number) =>
  ({ fault: "changing", app: "test.clock", element: "clock", every: { after: { ms } }, when: {} }) as const;

Deno.test("what changes by itself is learnt, listed as unstable, and no fault of a step", async () => {
  for (const ms of [20, 700]) {
    await trial(
      `name: clock\napp: test.clock\nsteps:
  - transaction:
      - set: { target: textfield, value: Grace }
        changes: { only: [textfield] }
      - assert: { target: button, timeout: 0 }`,
      {
        applications: [WITH_CLOCK],
        clock: "real",
        prepare: (desktop) => void desktop.inject({ ...ticking(ms), every: { ms } }),
      },
      ({ result, after }) => {
        assert.deepEqual(
          [result.exit, result.rollback.verdict],
          [1, "restored"],
          JSON.stringify(result.error),
        );
        assert.equal(at(after, "test.clock", "name", "text"), "Ada");
        if (ms < 100) assert.deepEqual(result.unstable.map((label) => label.split(" ")[0]), ["label"]);
        assert.equal(result.rollback.beside, undefined);
      },
    );
  }
});

const SET_AND_FAIL = settings(`
  - transaction:
      - set: { target: '${NAME}', value: Grace }
      - assert: { target: 'button[name="Nowhere"]', timeout: 0 }`);

Deno.test("what else is not as it was at the savepoint is named beside the verdict", async () => {
  await trial(
    SET_AND_FAIL,
    {
      on(event, desktop) {
        if (event.event === "rollback-started") desktop.person(APP, "copies", { value: 9 });
      },
    },
    ({ result, after }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
      assert.equal(at(after, APP, "copies", "value"), 9);
      const beside = result.rollback.beside ?? [];
      assert.ok(
        beside.some((d) => d.property === "value" && d.expected === 1 && d.actual === 9),
        JSON.stringify(beside),
      );
      assert.ok(beside.every((d) => !d.participant.includes("Name")));
    },
  );
});

Deno.test("of two elements that are called the same, the one that nobody enrolled is named beside the verdict", async () => {
  const twins = describeApplication("test.twins", [
    { kind: "entry", key: "first", name: "Name", text: "Ada" },
    { kind: "entry", key: "second", name: "Name", text: "Bob" },
  ]);
  await trial(
    `name: twins\napp: test.twins\nsteps:
  - transaction:
      - set: { target: 'textfield:nth(1)', value: Grace }
      - assert: { target: button, timeout: 0 }`,
    {
      applications: [twins],
      on(event, desktop) {
        if (event.event !== "rollback-started") return;
        desktop.person("test.twins", "second", { text: "Eve" });
      },
    },
    ({ result, after }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
      assert.deepEqual(["first", "second"].map((key) => at(after, "test.twins", key, "text")), [
        "Ada",
        "Eve",
      ]);
      assert.deepEqual(result.rollback.beside, [
        { participant: 'textfield "Name"', property: "text", expected: "Bob", actual: "Eve" },
      ]);
    },
  );
});

Deno.test("that an enrolled element cannot be used any more is named beside the verdict", async () => {
  await trial(
    SET_AND_FAIL,
    {
      on(event, desktop) {
        if (event.event === "rollback-step") desktop.person(APP, "name", { sensitive: false });
      },
    },
    ({ result }) => {
      assert.equal(result.exit, 1, JSON.stringify(result));
      assert.deepEqual(result.rollback.beside, [
        { participant: 'textfield "Name"', property: "enabled", expected: true, actual: false },
      ]);
    },
  );
});
