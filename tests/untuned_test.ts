import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isInstalled, load, play } from "./untuned/_play.ts";
import { APPLICATIONS } from "./untuned/applications.ts";

const folder = fileURLToPath(new URL("untuned", import.meta.url));

Deno.test("every folder of tests/untuned is in the table, with a workflow and its twin", () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).sort(), Object.keys(APPLICATIONS).sort());
  for (const name of Object.keys(APPLICATIONS)) {
    for (const file of ["workflow.yaml", "twin.yaml"]) {
      assert.ok(existsSync(join(folder, name, file)), `${name}/${file}`);
    }
  }
  assert.equal(Object.values(APPLICATIONS).filter(({ ci }) => ci).length, 5, "five run in CI");
});

Deno.test("every workflow of tests/untuned has ten steps or more, and its twin one transaction", () => {
  for (const name of Object.keys(APPLICATIONS)) {
    const { steps } = load(name, "workflow");
    assert.ok(steps.length >= 10, `${name} has ${steps.length} steps`);
    assert.deepEqual(load(name, "twin").steps.map(({ kind }) => kind), ["transaction"], name);
  }
});

// The others run nightly: deno task untuned.
for (const [name, untuned] of Object.entries(APPLICATIONS).filter(([, { ci }]) => ci)) {
  const ignore = !isInstalled(untuned);
  const why = ignore ? `: not run, ${untuned.needs[1]} is not installed` : "";
  Deno.test({
    name: `${name} is driven by the documented verbs, and comes back where its twin fails${why}`,
    ignore,
    async fn() {
      for (const { file, faults } of await play(name, untuned)) assert.deepEqual(faults, [], file);
    },
  });
}
