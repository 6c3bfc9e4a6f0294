import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { bootId, identify } from "../../session/processes.ts";
import { runFolder } from "./journal.ts";
import { lockedBy, lockRun } from "./lock.ts";

function withRun(use: (state: string, file: string) => void): void {
  const state = mkdtempSync(join(tmpdir(), "backstep-lock-"));
  try {
    mkdirSync(runFolder(state, "r"), { recursive: true });
    use(state, join(runFolder(state, "r"), "lock"));
  } finally {
    rmSync(state, { recursive: true });
  }
}

Deno.test("a run is locked by one living process, and free again afterwards", () =>
  withRun((state) => {
    const unlock = lockRun(state, "r");
    assert.equal(lockedBy(state, "r"), process.pid);
    assert.throws(() => lockRun(state, "r"), /Cannot lock run r: process \d+ is at it/);
    unlock();
    assert.equal(lockedBy(state, "r"), undefined);
    lockRun(state, "r")();
    assert.deepEqual(readdirSync(runFolder(state, "r")), []);
  }));

Deno.test("the lock of a dead process, of another boot, and one that was cut off while it was written hold nobody", () =>
  withRun((state, file) => {
    const alive = identify(process.pid);
    assert.ok(alive);
    // The same number, begun at another time, is another process.
    const dead = { ...alive, start: alive.start - 1, boot: bootId() };
    for (const text of [JSON.stringify(dead), JSON.stringify({ ...alive, boot: "another" }), '{"pid":']) {
      writeFileSync(file, text);
      assert.equal(lockedBy(state, "r"), undefined);
      lockRun(state, "r")();
    }
  }));
