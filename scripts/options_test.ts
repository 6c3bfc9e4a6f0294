import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

function call(script: string, ...args: string[]) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["run", "-A", path, ...args], {
    encoding: "utf8",
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

Deno.test("a command says what it takes, and names what it does not take", () => {
  for (const help of ["--help", "-h"]) {
    const { status, stdout, stderr } = call("locators.ts", help);
    assert.deepEqual([status, stderr], [0, ""]);
    assert.match(stdout, /^deno task locators \[--recorded\].*\n\n[^]*--recorded {3}looks at the trees/);
  }
  const { status, stdout, stderr } = call("locators.ts", "--record");
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /^Unknown option '--record'\n\ndeno task locators /);
});

Deno.test("a benchmark that there is not is answered with those that there are", () => {
  const { status, stderr } = call("bench.ts", "steps");
  assert.equal(status, 2);
  assert.match(stderr, /\n {2}step {11}each act in a transaction/);
});
