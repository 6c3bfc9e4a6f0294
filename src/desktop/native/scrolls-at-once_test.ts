import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { scrollsAtOnce } from "./scrolls-at-once.ts";

Deno.test("a browser scrolls at once where its command line says so", async () => {
  const waits = ["-c", "echo runs; read line", "--"];
  for (const [args, at] of [[["--disable-smooth-scrolling"], true], [["--other"], false]] as const) {
    const child = spawn("/bin/sh", [...waits, ...args], { stdio: ["pipe", "pipe", "ignore"] });
    // Between the fork and the program's start its command line is another.
    await once(child.stdout, "data");
    const pid = child.pid ?? 0;
    const gone = once(child, "exit");
    try {
      assert.equal(scrollsAtOnce({ pid, toolkit: "Chromium" }), at);
      assert.equal(scrollsAtOnce({ pid, toolkit: "gtk" }), false);
    } finally {
      child.stdin.end();
      await gone;
    }
    assert.equal(scrollsAtOnce({ pid, toolkit: "Chromium" }), false);
  }
});
