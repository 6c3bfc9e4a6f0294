import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The native core's own suite, in C: units, a fuzzed decoder's corpus, a live application, a display. */
function make(target: "test" | "macos-test"): { code: number | null; output: string } {
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

// As machine code, under ASan, and with deliberate faults: `deno task nightly --only macos`.
Deno.test({
  name: "the macOS core passes `make macos-test`, over the stand-in of Apple's frameworks",
  ignore: process.arch !== "x64",
  fn() {
    const { code, output } = make("macos-test");
    assert.equal(code, 0, output.slice(-4_000));
    const suites = [...output.matchAll(/^macos (\w+): \d+ checks, 0 failed$/gm)].map(([, name]) => name);
    for (const name of ["acts", "errors", "hang", "large", "life", "second", "shortage", "text"]) {
      assert.ok(suites.includes(name), `${name} is not among ${suites.join(", ")}`);
    }
  },
});
