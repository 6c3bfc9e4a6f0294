import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { parsePs, psCommandOf, psOf } from "./process-ps.ts";
import { processStat } from "./process-stat.ts";

Deno.test("a line of macOS' ps is a process: its start in seconds, its name without its folder", () => {
  const line =
    "  412     1   412      0 Ss   Wed Nov 25 23:44:01 2026     /Applications/Text Edit.app/Contents/MacOS/TextEdit";
  assert.deepEqual(parsePs(line), {
    pid: 412,
    parent: 1,
    group: 412,
    session: 0,
    state: "S",
    exiting: false,
    start: Date.UTC(2026, 10, 25, 23, 44, 1) / 1_000,
    command: "TextEdit",
  });
  assert.equal(parsePs("  7 1 7 ffffff80 ?Es Wed Nov 25 23:44:01 2026 (x)")?.exiting, true);
  assert.equal(parsePs("PID"), undefined);
});

Deno.test({
  name: "ps tells of this process what /proc does, and of none nothing",
  ignore: process.platform !== "linux" || !existsSync("/bin/ps"),
  fn() {
    const [own] = psOf(process.pid), proc = processStat(process.pid);
    assert.deepEqual([own?.pid, own?.parent, own?.group, own?.session], [
      proc?.pid,
      proc?.parent,
      proc?.group,
      proc?.session,
    ]);
    assert.ok(own && Math.abs(own.start - (Date.now() / 1_000 - process.uptime())) < 60);
    assert.deepEqual(psOf(2 ** 22 + 1), []);
    // Linux cuts the name of a program, which Node 24 replaces, and tells its arguments as macOS does.
    const [program = "", ...rest] = psCommandOf(process.pid);
    assert.ok(rest.length > 0, `${program} ${rest.join(" ")}`);
    assert.equal(program, readFileSync(`/proc/${process.pid}/comm`, "utf8").trim());
    assert.deepEqual(psCommandOf(2 ** 22 + 1), []);
    assert.ok(psOf().length > 3);
  },
});
