import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { moduleAt, toEvaluate } from "../base/_child.ts";
import { Deadline } from "../base/call.ts";
import { identify, whenGone } from "../session/processes.ts";

const CHILD = `import process from "node:process";
import { endWithParent } from ${JSON.stringify(moduleAt("./orphan.ts", import.meta.url))};
endWithParent(200);
console.log(process.pid);
setTimeout(() => { while (true); }, 0);
`;
/** Starts the child and is killed then. */
const PARENT = `import { spawn } from "node:child_process";
import process from "node:process";
const child = spawn(process.execPath, JSON.parse(process.argv.at(-1)), { stdio: ["pipe", "pipe", "inherit"], detached: true });
child.stdout.once("data", (pid) => {
  process.stdout.write(pid, () => process.kill(process.pid, "SIGKILL"));
});
`;

Deno.test("a process whose parent was killed ends, although its own code never comes back", async () => {
  const parent = spawn(process.execPath, toEvaluate(PARENT, JSON.stringify(toEvaluate(CHILD))), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(parent.stdout, "data");
  const child = identify(Number(String(said)));
  assert.ok(child, "it runs");
  try {
    assert.ok(await whenGone([child], Deadline.after(20_000)), "it stayed");
  } finally {
    if (identify(child.pid)?.start === child.start) process.kill(child.pid, "SIGKILL");
  }
});
