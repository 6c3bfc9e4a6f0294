import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAILS, PASSES, program } from "./_suite.ts";
import { type TestCase, workflows, type WorkflowsOptions } from "./mod.ts";
import type { StepContext } from "./steps.ts";

/** How a test of `deno test` ended: its steps in order, and the error of what failed. */
interface Finished {
  readonly steps: string[];
  readonly failed: string[];
  readonly error: string | undefined;
}

/** Registers a folder's files, and runs the tests as `deno test` would. */
async function run(
  files: Readonly<Record<string, string>>,
  options: WorkflowsOptions = {},
): Promise<{ readonly cases: readonly TestCase[]; of(name: string): Promise<Finished> }> {
  const folder = mkdtempSync(join(tmpdir(), "bst-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const cases: TestCase[] = [];
  workflows(folder, { ...options, register: (test) => cases.push(test) });
  const finished = new Map<string, Finished>();
  try {
    for (const one of cases) finished.set(one.name, await execute(one));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return {
    cases,
    of(name) {
      const found = [...finished].find(([title]) => title.includes(name))?.[1];
      return found ? Promise.resolve(found) : Promise.reject(new Error(`no test ${name}`));
    },
  };
}

async function execute(test: TestCase): Promise<Finished> {
  const [steps, failed]: [string[], string[]] = [[], []];
  let running = 0;
  const context: StepContext = {
    async step({ name, fn }) {
      assert.equal(running++, 0, "steps of a test may not overlap");
      steps.push(name);
      try {
        await fn();
        return true;
      } catch (thrown) {
        failed.push(`${name}: ${thrown instanceof Error ? thrown.message : thrown}`);
        return false;
      } finally {
        running--;
      }
    },
  };
  try {
    await test.fn(context);
    return { steps, failed, error: undefined };
  } catch (thrown) {
    return { steps, failed, error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

Deno.test("each file is a test, named by path and name, with its steps in their order", async () => {
  const { cases, of } = await run({ "a.yaml": PASSES, "b.yaml": FAILS });
  assert.match(cases[0]?.name ?? "", /^\/tmp\/bst-\w+\/a\.yaml: Passes$/);
  const passed = await of("a.yaml");
  assert.equal(passed.error, undefined);
  assert.deepEqual(passed.steps.map((one) => one.split(" ")[0]), ["before.1", "1"]);
  const failed = await of("b.yaml");
  assert.match(failed.error ?? "", /Cannot confirm button\[name="Nowhere"\]/);
  assert.equal(failed.failed.length, 1);
  assert.match(failed.failed[0] ?? "", /^2 assert.*Cannot confirm/);
});

Deno.test("what is meant to fail is no failure, nor are its steps", async () => {
  const meant = FAILS.replace("tags:", "expect: { status: failed, rollback: restored }\ntags:");
  const { of } = await run({ "a.yaml": meant });
  const finished = await of("a.yaml");
  assert.equal(finished.error, undefined);
  assert.deepEqual(finished.failed, []);
  assert.equal(finished.steps.length, 3);
});

Deno.test("a program runs as a test of its path; what it throws is its error", async () => {
  const { of } = await run({ "a.ts": program("A program", `  throw new Error("of its own");`) });
  assert.match((await of("a.ts")).error ?? "", /of its own/);
});

Deno.test("a faulty file is a test that fails with its place; what is to be skipped is ignored, with the reason", async () => {
  const { cases, of } = await run({
    "a.yaml": "name: A\nsteps:\n  - clik: x\n",
    "b.yaml": `skip: later\n${PASSES}`,
  });
  assert.match((await of("a.yaml")).error ?? "", /clik[^]*a\.yaml:3:5/);
  assert.deepEqual(cases.map(({ ignore }) => ignore), [false, true]);
  assert.match(cases[1]?.name ?? "", /Passes \(skipped: later\)$/);
});

Deno.test("files are chosen by tag and by what their path and name match", async () => {
  const files = { "a.yaml": PASSES, "b.yaml": PASSES.replace("quick", "slow") };
  assert.equal((await run(files, { tags: ["slow"] })).cases.length, 1);
  assert.equal((await run(files, { grep: "a\\.yaml" })).cases.length, 1);
});

Deno.test("a folder that is not there is a usage error", () => {
  assert.throws(() => workflows("/no/such/folder", { register() {} }), { code: "usage" });
});
