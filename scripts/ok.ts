/**
 * Everything that must hold before a commit: formatting, lint, types, the boundaries of the code, what the docs claim
 * of toolkits, what is generated, the documented API, and the examples in its docs. Runs all, prints what failed, exits 1
 * if anything did.
 */
import { spawn } from "node:child_process";
import { keptTimes, tooLong, tooLongText } from "./test/times.ts";

/**
 * Everything that must hold before a commit: formatting, lint, types, the boundaries of the code, what the docs claim
 * of toolkits, what is generated, the documented API, and the examples in its docs. Runs all, prints what failed, exits 1
 * if anything did.
 */
import process from "node:process";

const deno = process.execPath;
const checks: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["fmt", ["fmt", "--check", "--quiet"]],
  ["lint", ["lint", "--quiet"]],
  ["check", ["check", "--quiet", "."]],
  ["boundaries", ["run", "-A", "--quiet", "scripts/boundaries.ts"]],
  ["words", ["run", "-A", "--quiet", "scripts/words.ts"]],
  ["claims", ["run", "-A", "--quiet", "scripts/claims.ts"]],
  ["apple", ["run", "-A", "--quiet", "scripts/apple.ts"]],
  ["generated", ["run", "-A", "--quiet", "scripts/generate.ts", "--check"]],
  ["doc lint", ["doc", "--quiet", "--lint", "mod.ts", "src/testing/mod.ts"]],
  ["doc examples", [
    "test",
    "-A",
    "--quiet",
    "--doc",
    "--ignore=tests,**/*_test.ts",
    "src",
    "mod.ts",
  ]],
];

function run(
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(deno, args, {
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => output += chunk);
    child.stderr.on("data", (chunk) => output += chunk);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

let failed = 0;
for (const [name, args] of checks) {
  const began = performance.now();
  const { code, output } = await run(args);
  const took = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${name}  ${took}`);
  if (code !== 0) {
    failed++;
    console.log(output.trimEnd());
  } else if (output.startsWith(`${name}: `)) console.log(`       ${output.trimEnd()}`);
}
const slow = tooLong(keptTimes());
console.log(
  `${
    slow.length === 0 ? "ok    " : "FAILED"
  } test files within their time, by the last whole run on a quiet machine`,
);
if (slow.length > 0) {
  failed++;
  console.log(tooLongText(slow));
}
process.exitCode = failed === 0 ? 0 : 1;
