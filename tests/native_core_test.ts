import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The native core's own suite, in C: units, a fuzzed decoder's corpus, a live application, a display. */
function make(target: string): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("make", [target], {
    cwd: fileURLToPath(new URL("../native", import.meta.url)),
    encoding: "utf8",
    timeout: 300_000,
  });
  return { code: status, output: `${stdout}${stderr}` };
}

for (const target of ["test", "asan"]) {
  Deno.test(`the native core passes \`make ${target}\``, () => {
    const { code, output } = make(target);
    assert.equal(code, 0, output.slice(-4_000));
    assert.match(output, /\d+ checks, 0 failed/);
  });
}
