import assert from "node:assert/strict";
import { at, bytesOf, settings, trial } from "./_trial.ts";

const APP = "sim.settings";
const STEPS = `  - set: { target: 'textfield[name="Name"]', value: '{{item.customer}}' }
  - set: { target: slider, value: '{{item.volume}}' }`;

Deno.test("the fields of a work item are filled in, and keep their types", async () => {
  await trial(
    settings(STEPS),
    { item: { customer: "Grace", volume: 70 } },
    ({ result, after, folder }) => {
      assert.equal(result.status, "passed", result.error?.message);
      assert.equal(at(after, APP, "name", "text"), "Grace");
      assert.equal(at(after, APP, "volume", "value"), 70);
      assert.ok(!bytesOf(folder).includes("Grace"), "what it was given is encrypted");
    },
  );
});

Deno.test("a field that the item does not have fails its step, and names those that there are", async () => {
  await trial(settings(STEPS), { item: { custmer: "Grace", volume: 1 } }, ({ result }) => {
    assert.equal(result.error?.code, "workflow");
    assert.equal(result.error?.message, 'Cannot fill in {{item.customer}}: there is no "customer"');
    assert.equal(result.error?.hint, 'Did you mean "custmer"?');
  });
});

Deno.test("a run that is for no item says how to give it one", async () => {
  await trial(settings(STEPS), {}, ({ result }) => {
    assert.equal(result.error?.code, "workflow");
    assert.match(result.error?.message ?? "", /the run is for no work item/);
    assert.match(result.error?.hint ?? "", /--item customer=/);
  });
});

Deno.test("files that are run see the item of their run", async () => {
  await trial(
    settings("  - run: inner.yaml"),
    { item: { customer: "Grace", volume: 70 }, files: { "inner.yaml": `name: inner\nsteps:\n${STEPS}` } },
    ({ result, after }) => {
      assert.equal(result.status, "passed", result.error?.message);
      assert.equal(at(after, APP, "name", "text"), "Grace");
    },
  );
});
