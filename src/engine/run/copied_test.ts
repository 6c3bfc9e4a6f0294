import assert from "node:assert/strict";
import { describeApplication } from "../../desktop/simulated/describe.ts";
import type { Fault } from "../../desktop/simulated/faults.ts";
import { trial } from "./_trial.ts";

const APP = "test.page";
const YAML = `name: trial\napp: ${APP}\nsteps:\n  - set: { target: '[name="Wrap"]', value: true }`;
const FORM = describeApplication(APP, [{ kind: "check", key: "wrap", name: "Wrap" }]);
const SLEEPS: Fault = { fault: "no_effect", when: { call: ["act", "pointer"], times: "always" } };
const UNSENT: Fault = {
  fault: "timeout",
  landed: false,
  outcome: "not_sent",
  when: { action: "action", times: "always" },
};

for (
  const [toolkit, fault, reported] of [
    ["chromium", SLEEPS, [4, "failed", "unknown", "unknown"]],
    // What answers for itself has said that nothing came of it.
    ["gtk", SLEEPS, [1, "restored", "already", "restored"]],
    ["chromium", UNSENT, [1, "restored", "already", "restored"]],
  ] as const
) {
  Deno.test(`${toolkit}, ${fault.fault}: what reads as before is ${reported[2]}`, async () => {
    const applications = [{ ...FORM, toolkit }];
    await trial(YAML, { applications, faults: [fault] }, ({ result }) => {
      const [step] = result.rollback.steps.filter(({ what }) => what.includes("Wrap"));
      const [enrolled] = result.rollback.enrolled.filter(({ label }) => label.includes("Wrap"));
      const { exit, rollback } = result;
      assert.deepEqual([exit, rollback.verdict, step?.verdict, enrolled?.verdict], [...reported]);
    });
  });
}
