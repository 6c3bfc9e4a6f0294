// Node and Bun, from what TypeScript emits: the adapters' suite, and a rollback on a real application.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { emitTests, runTests } from "../scripts/npm/node-tests.ts";
import { type Runtime, runtimes, runtimesMissing } from "../scripts/npm/runtimes.ts";

if (runtimesMissing !== undefined) console.log(`Node and Bun are not tested: ${runtimesMissing}`);

/** Tests of the suite, at least. */
const SUITE = 11;

const RunJson = z.object({
  exit: z.number(),
  rollback: z.object({ verdict: z.string() }),
});

/** Runs the suite of `ffi_test.ts`; answers how many passed, and what failed. */
async function suite(runtime: Runtime, tree: string): Promise<{ passed: number; failed: readonly string[] }> {
  if (runtime.name !== "bun") {
    const lines = await runTests(runtime, tree, ["tests/ffi_test.js"]);
    const failed = lines.filter(({ status }) => status === "failed");
    return {
      passed: lines.length - failed.length,
      failed: failed.map(({ name, error }) => `${name}: ${error}`),
    };
  }
  const preload = fileURLToPath(new URL("../scripts/npm/node/deno-test.ts", import.meta.url));
  const { stderr } = spawnSync(runtime.program, ["test", "--preload", preload, "./tests/ffi_test.js"], {
    cwd: tree,
    encoding: "utf8",
    timeout: 60_000,
  });
  return {
    passed: [...stderr.matchAll(/^\(pass\)/gm)].length,
    failed: [...stderr.matchAll(/^\(fail\).*$/gm)].map(([line]) => line),
  };
}

/** Runs a workflow that fails and rolls itself back. */
function rollback({ program }: Runtime, tree: string, state: string): z.infer<typeof RunJson> {
  const args = ["run", "workflows/form-rollback.yaml", "--session", "isolated", "--format", "json"];
  const { stdout, stderr } = spawnSync(program, [join(tree, "bin.js"), ...args], {
    cwd: tree,
    encoding: "utf8",
    timeout: 120_000,
    env: { ...process.env, BACKSTEP_STATE: state },
  });
  assert.notEqual(stdout, "", stderr);
  return RunJson.parse(JSON.parse(stdout));
}

Deno.test({
  name: "the adapters pass one suite on Node and Bun, and a GTK 3 form is restored from there",
  ignore: runtimesMissing !== undefined,
  async fn(t) {
    const folder = mkdtempSync(join(tmpdir(), "backstep-runtimes-"));
    try {
      const tree = emitTests(folder);
      for (const runtime of runtimes) {
        await t.step(`${runtime.name}: the suite`, async () => {
          const { passed, failed } = await suite(runtime, tree);
          assert.deepEqual(failed, []);
          assert.ok(passed >= SUITE, `only ${passed} passed`);
        });
        await t.step(`${runtime.name}: a rollback`, () => {
          const { exit, rollback: { verdict } } = rollback(runtime, tree, join(folder, "state"));
          assert.deepEqual([exit, verdict], [1, "restored"]);
        });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});
