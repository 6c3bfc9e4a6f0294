import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The native core's own suite, in C: units, a fuzzed decoder's corpus, a live application, a display. */
function make(target: "test"): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("make", [target], {
    cwd: fileURLToPath(new URL("../native", import.meta.url)),
    encoding: "utf8",
    timeout: 300_000,
  });
  return { code: status, output: `${stdout}${stderr}` };
}

// Under ASan, UBSan and valgrind: `deno task nightly --only asan,valgrind`.
Deno.test("the native core passes `make test`", () => {
  const { code, output } = make("test");
  assert.equal(code, 0, output.slice(-4_000));
  assert.match(output, /\d+ checks, 0 failed/);
});
