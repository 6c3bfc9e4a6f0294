import assert from "node:assert/strict";
import type { Fault } from "../../desktop/simulated/faults.ts";
import { Encryption } from "../journal/encryption.ts";
import { PastRun } from "../journal/past-run.ts";
import { at, settings, trial } from "../run/_trial.ts";

Deno.test("another process reads how the element was before that was acted on", async () => {
  const faults: Fault[] = [{
    fault: "replace",
    element: "name",
    as: { text: "Newer" },
    when: { call: "act" },
  }];
  await trial(
    settings(`  - set: { target: 'textfield[name="Name"]', value: Grace }`),
    { faults },
    ({ result, after, folder, state }) => {
      assert.equal(at(after, "sim.settings", "name", "text"), "Grace");
      const past = new PastRun(folder, Encryption.open(state, result.run));
      const images = past.actions.flatMap(({ reported }) => reported.beforeImages.map(({ image }) => image));
      assert.match(JSON.stringify(images), /"Newer"/);
      assert.doesNotMatch(JSON.stringify(images), /"Ada"/);
      assert.deepEqual(past.actions.map(({ outcome }) => outcome), ["done"]);
    },
  );
});
