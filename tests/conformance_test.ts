import assert from "node:assert/strict";
import { countsOf, runSuite, SUITES, suitesMissing, withServer } from "../scripts/conformance.ts";

if (suitesMissing !== undefined) console.log(`The protocol's conformance is not tested: ${suitesMissing}`);

Deno.test({
  name: "the server passes every check of the protocol's own conformance suites",
  ignore: suitesMissing !== undefined,
  fn: (t) =>
    withServer(async (url, signal) => {
      for (const suite of SUITES) {
        await t.step(suite.name, async () => {
          const { passed, failed, output } = await runSuite(suite, url, signal);
          assert.equal(failed, 0, output.slice(output.indexOf("=== SUMMARY ===")));
          assert.ok(passed >= suite.checks, `${passed} of ${suite.checks} checks`);
        });
      }
    }),
});

Deno.test("a suite that says nothing is no success", () => {
  assert.deepEqual(countsOf("...\n\nTotal: 40 passed, 2 failed\n"), { passed: 40, failed: 2 });
  assert.equal(countsOf("Killed\n"), undefined);
});
