import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSession } from "../src/session/open-session.ts";
import { MARKER } from "../src/session/environment.ts";
import { clearTraces, endDesktopsOf, tracesOn } from "../src/session/traces.ts";
import process from "node:process";

Deno.test("a private desktop is made new again: files that came are taken away; what runs, or was changed, is not forgiven", async () => {
  const state = mkdtempSync("/tmp/bs-state-");
  const session = await openSession({ kind: "isolated", state });
  let stays: ChildProcess | undefined;
  try {
    const fresh = tracesOn(session, state);
    assert.ok(fresh && session.home !== undefined && session.id !== undefined);
    mkdirSync(join(session.home, ".config/editor"));
    writeFileSync(join(session.home, ".config/editor/settings"), "dark");
    writeFileSync(join(session.home, "Draft.txt"), "a draft");
    assert.equal(await clearTraces(session, fresh, {}, state), true);
    assert.equal(existsSync(join(session.home, "Draft.txt")), false);
    const cleared = tracesOn(session, state);
    assert.deepEqual(cleared?.files, fresh.files);
    // What only helped the desktop to start may have ended meanwhile.
    const stood = new Set(fresh.processes.map(({ pid, start }) => `${pid} ${start}`));
    assert.ok(cleared.processes.every(({ pid, start }) => stood.has(`${pid} ${start}`)));

    stays = spawn("sleep", ["60"], { env: { ...process.env, [MARKER]: session.id }, stdio: "ignore" });
    await once(stays, "spawn");
    assert.equal(await clearTraces(session, fresh, { timeout: 50 }, state), false, "something still runs");

    stays.kill("SIGKILL");
    await once(stays, "exit");
    assert.equal(await clearTraces(session, fresh, {}, state), true);
    rmSync(join(session.home, ".cache"), { recursive: true });
    assert.equal(await clearTraces(session, fresh, {}, state), false, "what was there is missing");

    // As the runner does for a worker that died.
    assert.equal(await endDesktopsOf(process.pid, state), 1);
    assert.equal(existsSync(session.home), false);
    assert.equal(tracesOn(session, state), undefined);
  } finally {
    stays?.kill("SIGKILL");
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
});
