import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import process from "node:process";
import { parsePs, psStats } from "./ps.ts";

Deno.test("a line of ps is read, on macOS with the path of the program", () => {
  const line =
    "  501     1   501 SE+  Wed Nov  5 08:02:09 2025 /System/Applications/Text Edit.app/Contents/MacOS/Text Edit";
  assert.deepEqual(parsePs(line), {
    pid: 501,
    parent: 1,
    group: 501,
    session: 501,
    state: "S",
    command: "Text Edit",
    exiting: true,
    start: Date.UTC(2025, 10, 5, 8, 2, 9) / 1_000,
  });
  for (const none of ["", "PID PPID", "1 1 1 S Wed Foo  5 08:02:09 2025 x", line.replace("2025", "")]) {
    assert.equal(parsePs(none), undefined, none);
  }
});

Deno.test("the ps of this machine tells of this process, of its child, and of none that is gone", async () => {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  const end = new Promise((resolve) => child.once("exit", resolve));
  const [own] = psStats(process.pid), [its] = psStats(child.pid ?? 0);
  assert.equal(own?.pid, process.pid);
  assert.equal(its?.parent, process.pid);
  assert.ok(Math.abs((its?.start ?? 0) - Date.now() / 1_000) < 60, String(its?.start));
  assert.ok(psStats().some(({ pid }) => pid === process.pid));
  child.kill();
  await end;
  assert.deepEqual(psStats(child.pid ?? 0), []);
});
