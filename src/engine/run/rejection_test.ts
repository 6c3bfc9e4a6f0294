import assert from "node:assert/strict";
import { at, settings, trial } from "./_trial.ts";

const APP = "sim.settings";
const NAME = `textfield[name="Name"]`;
const SET = `  - set: { target: '${NAME}', value: Grace }`;

Deno.test("a rejection ends the run with its reason, and what came before is rolled back", async () => {
  await trial(
    settings(`${SET}\n  - reject: 'Customer {{vars.who}} is unknown'\n${SET}`, "vars: { who: Ada }"),
    {},
    ({ result, after, events }) => {
      assert.deepEqual([result.status, result.exit, result.rejected], [
        "failed",
        1,
        "Customer Ada is unknown",
      ]);
      assert.equal(result.error?.code, "rejected");
      assert.equal(result.error?.message, "Rejected: Customer Ada is unknown");
      assert.equal(result.rollback.verdict, "restored");
      assert.equal(at(after, APP, "name", "text"), "Ada");
      assert.deepEqual(result.steps.map(({ path, status }) => `${path} ${status}`), ["1 passed", "2 failed"]);
      assert.ok(events.some((one) => one.event === "step-finished" && one.step.operation === "reject"));
    },
  );
});

Deno.test("a rejection whose condition does not hold is skipped", async () => {
  await trial(
    settings(`${SET}\n  - reject: never\n    if: { exists: 'button[name="Nowhere"]' }`),
    {},
    ({ result, after }) => {
      assert.deepEqual([result.status, result.exit, result.rejected], ["passed", 0, undefined]);
      assert.equal(at(after, APP, "name", "text"), "Grace");
    },
  );
});

Deno.test("nothing makes up for a rejection: no retry, no `optional:`, no `on_failure: continue`", async () => {
  const inside = `  - transaction: [ { set: { target: '${NAME}', value: Grace } }, { reject: too late } ]
    retry: 3
    optional: true
${SET}`;
  for (const policy of ["rollback", "continue"]) {
    await trial(settings(inside, `on_failure: ${policy}`), {}, ({ result, events, after }) => {
      assert.equal(result.rejected, "too late", policy);
      assert.equal(events.filter(({ event }) => event === "transaction-started").length, 1, policy);
      assert.equal(events.filter(({ event }) => event === "step-retried").length, 0, policy);
      assert.equal(at(after, APP, "name", "text"), "Ada", policy);
    });
  }
});

Deno.test("`on_failure: stop` leaves what came before a rejection, and `after:` runs all the same", async () => {
  await trial(
    settings(
      `${SET}\n  - reject: not now`,
      `on_failure: stop\nafter: [ { set: { target: slider, value: 70 } } ]`,
    ),
    {},
    ({ result, after }) => {
      assert.equal(result.rejected, "not now");
      assert.equal(result.rollback.verdict, "none");
      assert.equal(at(after, APP, "name", "text"), "Grace");
      assert.equal(result.steps.at(-1)?.path, "after.1");
      assert.equal(result.steps.at(-1)?.status, "passed");
    },
  );
});

Deno.test("a rejection in a file that is run is this run's, and a secret in its reason is masked", async () => {
  await trial(
    settings(`  - run: inner.yaml`),
    {
      environment: { TOKEN: "hunter2hunter2" },
      files: {
        "inner.yaml": "name: inner\nsecrets: [TOKEN]\nsteps:\n  - reject: 'No right with {{secrets.TOKEN}}'",
      },
    },
    ({ result, events }) => {
      assert.match(result.rejected ?? "", /^No right with \S+$/);
      assert.ok(!JSON.stringify([result, events]).includes("hunter2"));
    },
  );
});

Deno.test("`expect: rejected` is met by a rejection alone; `expect: failed` by any failure", async () => {
  const rejects = "  - reject: no";
  const fails = `  - assert: { target: 'button[name="Nowhere"]', timeout: 0 }`;
  for (
    const [wanted, steps, met] of [
      ["rejected", rejects, true],
      ["rejected", fails, false],
      ["failed", rejects, true],
      ["failed", fails, true],
    ] as const
  ) {
    await trial(settings(steps, `expect: { status: ${wanted} }`), {}, ({ result }) => {
      assert.equal(result.expected, met, `${wanted}: ${steps}`);
    });
  }
});
