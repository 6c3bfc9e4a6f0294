import assert from "node:assert/strict";
import type { Fault } from "../../desktop/simulated/faults.ts";
import { Encryption } from "../journal/encryption.ts";
import { PastRun } from "../journal/past-run.ts";
import { at, FAILS, settings, trial, verdicts } from "../run/_trial.ts";

const APP = "sim.settings";
/** A person writes what the step was about to write, between its before-image and its action. */
const FIRST: Fault = {
  fault: "interfere",
  app: APP,
  element: "name",
  set: { text: "Grace" },
  when: { call: "read", at: 1 },
  after: true,
};
const SET = `  - set: { target: 'textfield[name="Name"]', value: Grace }\n`;

Deno.test("what a person did before a step that then sent nothing is not undone with it", async () => {
  await trial(settings(SET + FAILS), { faults: [FIRST] }, ({ result, after }) => {
    const [step] = result.steps;
    assert.deepEqual([step?.status, methodOf(step?.output)], ["passed", "none"]);
    assert.equal(at(after, APP, "name", "text"), "Grace");
    assert.equal(result.rollback.verdict, "restored");
    assert.deepEqual(verdicts(result), ["already"]);
  });
});

Deno.test("another process reads that nothing was sent, too", async () => {
  await trial(settings(SET), { faults: [FIRST] }, ({ result, folder, state }) => {
    const past = new PastRun(folder, Encryption.open(state, result.run));
    const images = past.actions.flatMap(({ reported }) => reported.beforeImages.map(({ image }) => image));
    assert.match(JSON.stringify(images), /"Grace"/);
    assert.doesNotMatch(JSON.stringify(images), /"Ada"/);
    assert.deepEqual(past.actions.map(({ outcome }) => outcome), ["done"]);
  });
});

Deno.test("what the step wrote itself is undone, whatever a person wrote before", async () => {
  const faults = [{ ...FIRST, set: { text: "Mary" } }];
  await trial(settings(SET + FAILS), { faults }, ({ result, after }) => {
    assert.deepEqual([result.rollback.verdict, verdicts(result)], ["restored", ["restored"]]);
    assert.equal(at(after, APP, "name", "text"), "Ada");
  });
});

function methodOf(output: unknown): unknown {
  return typeof output === "object" && output !== null && "method" in output ? output.method : undefined;
}
