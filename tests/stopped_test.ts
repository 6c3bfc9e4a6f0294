import assert from "node:assert/strict";
import process from "node:process";
import { toBackstepError } from "../src/base/error.ts";
import type { Application, Desktop } from "../src/desktop/desktop.ts";
import { openNative } from "../src/session/open-native.ts";

const PROGRAMS = ["gtk3-widget-factory", "gtk4-widget-factory"];
/** Milliseconds that a snapshot of the stopped application is given. */
const DEADLINE = 1_500;

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

async function timed<T>(deed: () => Promise<T>): Promise<{ answer: T; took: number }> {
  const began = performance.now();
  return { answer: await deed(), took: performance.now() - began };
}

async function snapshots(desktop: Desktop, app: Application, count: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    times.push((await timed(() => desktop.snapshot(app, { timeout: 10_000 }))).took);
  }
  return median(times);
}

Deno.test("an application that is stopped costs its own deadline, and another is served as usual meanwhile", async (t) => {
  const session = await openNative({ kind: "isolated" });
  try {
    const { desktop } = session;
    for (const program of PROGRAMS) await session.launcher.launch(program);
    const running = await desktop.applications();
    const apps = PROGRAMS.map((program) => running.find((app) => app.name.includes(program)));
    for (const [stopped, other] of [apps, [...apps].reverse()]) {
      assert.ok(stopped && other, JSON.stringify(running));
      await t.step(`${stopped.name} is stopped, ${other.name} is not`, async () => {
        const usual = await snapshots(desktop, other, 3);
        process.kill(stopped.pid, "SIGSTOP");
        try {
          // Asked first, so that what serves the other one stands behind it in every queue.
          const hung = timed(() =>
            desktop.snapshot(stopped, { timeout: DEADLINE }).then(() => undefined, toBackstepError)
          );
          const meanwhile = await snapshots(desktop, other, 3);
          const { answer, took } = await hung;
          assert.equal(answer?.code, "timeout", answer?.message);
          assert.ok(
            Math.abs(took - DEADLINE) <= 0.1 * DEADLINE,
            `it cost ${took.toFixed(0)} ms of ${DEADLINE}`,
          );
          // Two shared cores: whatever else runs may slow one half of this down and not the other.
          assert.ok(
            meanwhile <= 4 * usual + 20,
            `${other.name} took ${meanwhile.toFixed(1)} ms, usually ${usual.toFixed(1)}`,
          );
        } finally {
          process.kill(stopped.pid, "SIGCONT");
        }
        const after = await desktop.snapshot(stopped, { timeout: 10_000 });
        assert.ok(after.size > 100, `it answers again: ${after.size} nodes`);
      });
    }
  } finally {
    await session.close();
  }
});
