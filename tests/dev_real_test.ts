import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { missingFor, toolkit } from "../scripts/histories/real/toolkits.ts";
import { ROOT } from "./_command.ts";

/** Lets a task run, and resolves with what it printed. */
async function task(name: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ["run", "-A", join(ROOT, `scripts/${name}.ts`), ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => out += chunk);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  assert.equal(code, 0, out);
  return out;
}

const missing = missingFor(toolkit("gtk3"));
const ignore = missing.length > 0;

Deno.test({
  name: "a few edits of a file on a real GTK 3 form end as a run from the top, by its own account",
  ignore,
  async fn() {
    const out = await task("edits", ["--on", "gtk3", "--count", "4", "--live", "1", "--seed", "4"]);
    assert.match(out, /gtk3: 4 edits by seed 4, 0 not as a run from the top, 0 did a step before again/);
  },
});

Deno.test({
  name:
    "a few jumps between the steps of a run on a real GTK 3 form end as it was there, and forks as a run from the top",
  ignore,
  async fn() {
    const out = await task("travel", ["--on", "gtk3", "--jumps", "6", "--forks", "1", "--seed", "3"]);
    assert.match(out, /gtk3: 6 jumps by seed 3, 0 not as it was there/);
    assert.match(out, /1 forks, 0 not as a run from the top/);
  },
});
