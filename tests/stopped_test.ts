import assert from "node:assert/strict";
import process from "node:process";
import { toBackstepError } from "../src/base/error.ts";
import { openNative } from "../src/session/open-native.ts";

const PROGRAMS = ["gtk3-widget-factory", "gtk4-widget-factory"];
/** Milliseconds that a snapshot of the stopped application is given. */
const DEADLINE = 2_500;
/** What a timer may be late on a busy machine. */
const LATE = 1_000;

async function timed<T>(action: () => Promise<T>): Promise<{ answer: T; took: number }> {
  const began = performance.now();
  return { answer: await action(), took: performance.now() - began };
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
        await desktop.snapshot(other, { timeout: 10_000 });
        process.kill(stopped.pid, "SIGSTOP");
        try {
          // Asked first, so that what serves the other one stands behind it in every queue.
          let pending = true;
          const hung = timed(() =>
            desktop.snapshot(stopped, { timeout: DEADLINE }).then(() => undefined, toBackstepError)
              .finally(() => pending = false)
          );
          const meanwhile = await timed(() => desktop.snapshot(other, { timeout: 10_000 }));
          // By order, not by time: two shared cores may slow one of them down at any moment.
          assert.ok(
            pending,
            `${other.name} took ${meanwhile.took.toFixed(1)} ms, until the stopped one was over`,
          );
          const { answer, took } = await hung;
          assert.equal(answer?.code, "timeout", answer?.message);
          assert.ok(
            took >= DEADLINE - 50 && took <= DEADLINE + LATE,
            `it cost ${took.toFixed(0)} ms of ${DEADLINE}`,
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
