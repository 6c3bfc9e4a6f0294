import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap } from "../../base/json.ts";
import type { RunResult } from "../../contract/events.ts";
import { at, FAILS, settings, trial } from "./_trial.ts";

const NAME = `textfield[name="Name"]`;
const statuses = (result: RunResult) =>
  result.steps.map(({ path, status, soft }) => `${path} ${status}${soft ? " soft" : ""}`);
const soft = (title: string) =>
  `  - assert: { target: '${NAME}', title: ${title}, timeout: 0 }\n    soft: true`;

Deno.test("after a soft assertion that fails the flow goes on, and the run fails at its end with all of them", () =>
  trial(
    settings(`${soft("One")}\n  - set: { target: '${NAME}', value: Grace }\n${soft("Two")}\n${soft("Name")}`),
    {},
    ({ result, after }) => {
      assert.deepEqual(statuses(result), ["1 failed soft", "2 passed", "3 failed soft", "4 passed"]);
      assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["failed", 1, "restored"]);
      assert.equal(at(after, "sim.settings", "name", "text"), "Ada");
      assert.equal(result.error?.code, "assertion");
      assert.match(
        result.error?.message ?? "",
        /^Cannot confirm 2 soft checks:\n {2}1 assert .*expected "One".*\n {2}3 assert .*expected "Two"/,
      );
      const listed = result.error?.details?.["soft"];
      assert.ok(Array.isArray(listed));
      assert.deepEqual(listed.map((one) => isMap(one) ? one["path"] : one), ["1", "3"]);
    },
  ));

Deno.test("what a soft assertion found wrong in a try that was rolled back goes with it", () =>
  trial(
    settings(`  - transaction:
      steps:
      - assert: { target: slider, value: 30, timeout: 0 }
        soft: true
      - set: { target: '${NAME}', value: Grace }
    retry: 1`),
    {
      faults: [{ fault: "timeout", landed: false, when: { call: "act", element: "name", times: 1 } }],
      on(event, desktop) {
        if (event.event === "step-retried") desktop.person("sim.settings", "volume", { value: 30 });
      },
    },
    ({ result, after }) => {
      assert.deepEqual(statuses(result), ["1.1 failed soft", "1.2 failed", "1.1 passed", "1.2 passed"]);
      assert.deepEqual([result.status, result.error], ["passed", undefined]);
      assert.equal(at(after, "sim.settings", "name", "text"), "Grace");
    },
  ));

Deno.test("a failure that is not soft ends the flow as ever, and its error is the run's", () =>
  trial(settings(`${soft("One")}\n${FAILS}\n${soft("Two")}`), {}, ({ result }) => {
    assert.deepEqual(statuses(result), ["1 failed soft", "2 failed"]);
    assert.match(result.error?.message ?? "", /Nowhere/);
  }));

Deno.test("a soft assertion in after fails the run, and one in a rollback counts there", async () => {
  await trial(
    settings(`  - wait: '${NAME}'`).replace(/$/, `\nafter:\n${soft("One")}`),
    {},
    ({ result }) => assert.deepEqual([result.status, result.exit], ["failed", 1]),
  );
  await trial(
    settings(`  - transaction:
    - press: F5
      undo:
      - assert: { target: '${NAME}', title: Wrong, timeout: 0 }
        soft: true
    ${FAILS.trim()}`),
    {},
    ({ result }) => {
      assert.equal(result.rollback.verdict, "failed");
    },
  );
});

Deno.test("what is no failed check is not soft: a bad expression ends the flow", () =>
  trial(
    settings(`  - assert: { target: '${NAME}', title: { regex: '{{env.BAD}}' } }\n    soft: true\n${FAILS}`),
    { environment: { BAD: "(" } },
    ({ result }) => assert.deepEqual(statuses(result), ["1 failed"]),
  ));

Deno.test("a baseline that would hold a secret of the run is not written", () =>
  trial(
    settings(
      `  - set: { target: '${NAME}', value: '{{secrets.TOKEN}}' }
  - tree: { target: tablist, baseline: secret, timeout: 1000 }`,
      "secrets: [TOKEN]",
    ),
    { environment: { TOKEN: "s3cret-value" }, clock: "real" },
    ({ result, folder }) => {
      assert.equal(result.error?.code, "secure");
      assert.ok(!existsSync(join(folder, "../../baselines/secret.tree.yaml")));
    },
  ));

Deno.test("a picture that shows a secret of the run becomes no baseline", () =>
  trial(
    settings(
      `  - set: { target: '${NAME}', value: '{{secrets.TOKEN}}' }
  - visual_diff: { baseline: secret.png, timeout: 1000 }`,
      "secrets: [TOKEN]",
    ),
    { environment: { TOKEN: "s3cret-value" }, clock: "real" },
    ({ result, folder }) => {
      assert.equal(result.error?.code, "secure", result.error?.message);
      assert.ok(!existsSync(join(folder, "../../baselines")));
    },
  ));

Deno.test("a baseline is written into the project's folder by a run", () => {
  let root = "";
  return trial(
    settings(`  - tree: { target: 'tab[name="About"]', baseline: about, timeout: 1000 }`),
    { clock: "real", on: (_event, _desktop, folder) => void (root = folder) },
    ({ result }) => {
      assert.equal(result.status, "passed", result.error?.message);
      assert.match(readFileSync(join(root, "baselines/about.tree.yaml"), "utf8"), /^# .*\n- tab "About"\n$/);
    },
  );
});

Deno.test("a secret that the list of failed checks is cut in is hidden, wherever the cut lies", async () => {
  const TOKEN = "correct-horse-battery-staple-".repeat(10);
  const checks = Array.from(
    { length: 25 },
    () =>
      `  - assert: { target: '${NAME}', title: '{{secrets.TOKEN}}', timeout: 0 }
    soft: true`,
  );
  await trial(settings(checks.join("\n"), "secrets: [TOKEN]"), { environment: { TOKEN } }, ({ result }) => {
    const message = result.error?.message ?? "";
    assert.match(message, /…[^]*and 5 more$/);
    assert.ok(!message.includes("correct-horse"), message.slice(-400));
  });
});
