import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Orphans } from "./orphans.ts";

Deno.test("a window whose process has ended is none, and one of a process that was never seen is left alone", async () => {
  const child = spawn("sleep", ["60"], { env: { PATH: "/usr/bin:/bin" } });
  const exited = once(child, "exit");
  const { pid } = child;
  assert.ok(pid !== undefined);
  const ids = (orphans: Orphans) =>
    orphans.without([
      { id: 1, pid, is_x11: false },
      { id: 2, pid, is_x11: true },
      // Larger than Linux ever gives.
      { id: 3, pid: 2 ** 22 + 1, is_x11: false },
      { id: 4, pid: null, is_x11: null },
    ]).map((window) => window.id);
  const [seen, late] = [new Orphans(), new Orphans()];
  assert.deepEqual(ids(seen), [1, 2, 3, 4]);
  child.kill("SIGKILL");
  await exited;
  assert.deepEqual(ids(seen), [2, 3, 4]);
  assert.deepEqual(ids(seen), [2, 3, 4]);
  assert.deepEqual(ids(late), [1, 2, 3, 4], "whether it ever ran here is not known");
});
