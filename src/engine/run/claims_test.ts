import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { settings, trial } from "./_trial.ts";
import type { Claim, Claims } from "./claims.ts";

/** Claims that are all granted, or refused as another process's. */
function claims(refused = false): Claims & { readonly asked: Claim[]; readonly outcomes: string[] } {
  const asked: Claim[] = [];
  const outcomes: string[] = [];
  return {
    asked,
    outcomes,
    claim(claim) {
      asked.push(claim);
      if (!refused) return Promise.resolve();
      return Promise.reject(
        new BackstepError("claimed", "Cannot click: a worker may have", { details: { outcome: "unknown" } }),
      );
    },
    finished: (path, outcome) => void outcomes.push(`${path} ${outcome}`),
  };
}

const APPLY = `  - set: { target: 'textfield[name="Name"]', value: Grace }
  - for_each:
      in: [1, 2]
      as: n
      steps:
        - click: 'button[name="Apply"]'
          irreversible: true
          optional: true`;

Deno.test("each irreversible action is claimed, by its path with the indices of its loops, and its outcome is reported", () => {
  const all = claims();
  return trial(settings(APPLY), { claims: all }, ({ result }) => {
    assert.deepEqual(
      [...new Set(all.asked.map(({ path, doneWhen }) => `${path} ${doneWhen}`))][0],
      "2[1].1 false",
    );
    assert.ok(all.asked.every(({ name }) => name.includes("Apply")));
    assert.ok(all.asked.every(({ path }) => path !== "1"), "what can be undone is not claimed");
    assert.equal(all.outcomes[0], "2[1].1 done");
    assert.equal(result.steps[1]?.status, "passed");
  });
});

Deno.test("what another process may have done is not done, and the run ends in doubt", () => {
  const all = claims(true);
  return trial(settings(APPLY.replace("\n          optional: true", "")), { claims: all }, ({ result }) => {
    assert.deepEqual([result.status, result.exit, result.error?.code], ["failed", 4, "claimed"]);
    assert.equal(all.asked.length, 1, "it is not tried again");
    assert.deepEqual(all.outcomes, []);
  });
});
