import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { withPlace } from "./cli/program.ts";

const PASSES = `name: Passes
app: sim.settings
session: simulated
before: [ { launch: sim.settings } ]
steps:
  - set: { target: 'textfield[name="Name"]', value: Grace }
`;
const FAILS = `${
  PASSES.replace("Passes", "Fails")
}  - assert: { target: 'button[name="Nowhere"]', timeout: 0 }\n`;
const LIBRARY = new URL("../mod.ts", import.meta.url).href;
/** Passes at its second try. */
const FLAKY = `import { workflow } from ${JSON.stringify(LIBRARY)};
import { existsSync, writeFileSync } from "node:fs";
export default workflow("flaky", { session: "simulated" }, async (t) => {
  await t.listApplications();
  const again = existsSync("tried");
  writeFileSync("tried", "");
  if (!again) throw new Error("not yet");
});
`;

Deno.test("backstep test: --repeat, --fail-fast and --max-failures", () =>
  withPlace(async (place) => {
    place.file("a.yaml", PASSES);
    const twice = await place.run(["test", "a.yaml", "--repeat", "2", "--reporter", "list"]);
    assert.equal(twice.code, 0, twice.out + twice.err);
    assert.match(twice.out, /\n2 passed in /);
    for (const name of ["b", "c", "d"]) place.file(`${name}.yaml`, FAILS);
    const one = ["--workers", "1", "--reporter", "list"];
    const fast = await place.run(["test", "b.yaml", "c.yaml", "d.yaml", "--fail-fast", ...one]);
    assert.equal(fast.code, 1, fast.err);
    assert.match(fast.out, /1 failed, 2 skipped/);
    const most = await place.run(["test", "b.yaml", "c.yaml", "d.yaml", "--max-failures", "2", ...one]);
    assert.equal(most.code, 1, most.err);
    assert.match(most.out, /2 failed, 1 skipped/);
    assert.match(most.out, /not run: as many failures as allowed/);
  }));

Deno.test("backstep test: --timeout goes before the file's own, and --fail-on-flaky makes a flaky file a failure", () =>
  withPlace(async (place) => {
    place.file(
      "a.yaml",
      `timeout: 60s\n${PASSES}  - wait: { target: 'button[name="Never"]', timeout: 50s }\n`,
    );
    const late = await place.run(["test", "a.yaml", "--timeout", "2s", "--reporter", "list"]);
    assert.equal(late.code, 1, late.out + late.err);
    assert.ok(late.took < 40_000, `it took ${late.took} ms`);
    place.file("b.ts", FLAKY);
    const flaky = await place.run([
      "test",
      "b.ts",
      "--retries",
      "1",
      "--fail-on-flaky",
      "--reporter",
      "list",
    ]);
    assert.equal(flaky.code, 1, flaky.out + flaky.err);
    assert.match(flaky.out, /1 flaky/);
  }));

Deno.test("backstep test: --update-baselines says which are written", () =>
  withPlace(async (place) => {
    const file = (name: string) =>
      `${PASSES.replace("Grace", name)}  - tree: { target: window, baseline: form }\n`;
    const run = (which: string) =>
      place.run(["test", "a.yaml", "--update-baselines", which, "--reporter", "list"]);
    place.file("a.yaml", file("Grace"));
    const none = await run("none");
    assert.equal(none.code, 1, none.out + none.err);
    assert.ok(!existsSync(join(place.work, "baselines")));
    const missing = await run("missing");
    assert.equal(missing.code, 0, missing.out + missing.err);
    place.file("a.yaml", file("Hopper"));
    assert.equal((await run("missing")).code, 1);
    const changed = await run("changed");
    assert.equal(changed.code, 0, changed.out + changed.err);
    assert.equal((await run("none")).code, 0);
  }));
