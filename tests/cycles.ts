import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { Deadline } from "../src/base/call.ts";
import { connectNative } from "../src/desktop/native/connect.ts";
import type { Application, Desktop } from "../src/desktop/desktop.ts";
import { ScratchDesktop } from "./scratch-desktop.ts";

const ROLE_CHECK_BOX = 7;

/** What this process holds: descriptors, threads, resident megabytes. */
export interface Held {
  readonly descriptors: number;
  readonly threads: number;
  readonly megabytes: number;
}

export function held(): Held {
  const threads = readdirSync("/proc/self/task").length;
  // Listing the folder holds one descriptor, each time the same.
  const descriptors = readdirSync("/proc/self/fd").length;
  const pages = Number(readFileSync("/proc/self/statm", "utf8").split(" ")[1]);
  return { descriptors, threads, megabytes: (pages * 4096) / 1e6 };
}

/** Waits, by events and at most half a second between looks, until an application of this process shows its widgets. */
export async function whenReady(desk: Desktop, pid: number): Promise<Application> {
  const watch = desk.watch();
  const deadline = Deadline.after(20_000);
  try {
    for (;;) {
      const app = (await desk.applications()).find((a) => a.pid === pid);
      if (app && (await desk.snapshot(app, { fields: [] })).size > 100) return app;
      if (deadline.passed) throw new Error(`process ${pid} never showed its widgets`);
      await watch.next({ timeout: Math.min(500, Math.max(1, deadline.remaining())) });
      watch.take();
    }
  } finally {
    watch.close();
  }
}

/**
 * Lives of a session: connect, look at an application, press a check box, close. Every third application is killed while
 * it is being read, which must be told as that, every fifth session is closed with work in flight.
 */
export async function live(
  scratch: ScratchDesktop,
  count: number,
  after: (cycle: number) => void,
): Promise<void> {
  let child: ChildProcess | undefined;
  for (let cycle = 0; cycle < count; cycle++) {
    const desk = await connectNative({
      kind: "isolated",
      label: `${scratch.display} (cycle ${cycle})`,
      sessionBus: scratch.sessionBus,
      display: scratch.display,
    });
    child ??= scratch.launch("gtk3-widget-factory");
    const app = await whenReady(desk, child.pid ?? 0);
    const tree = await desk.snapshot(app);
    let row = 0;
    while (
      row < tree.size &&
      !(tree.role(row) === ROLE_CHECK_BOX && tree.has(row, "showing") && tree.has(row, "sensitive"))
    ) row++;
    await desk.act(tree.element(row), { do: "action", name: "click" });
    if (cycle % 3 === 2) {
      process.kill(app.pid, "SIGSTOP");
      const reading = desk.snapshot(app);
      const gone = once(child, "exit");
      process.kill(app.pid, "SIGKILL");
      await assert.rejects(reading, { code: "app_gone" });
      await gone;
      child = undefined;
    } else if (cycle % 5 === 1) {
      process.kill(app.pid, "SIGSTOP");
      const reading = assert.rejects(desk.snapshot(app), { code: "cancelled" });
      await desk.close();
      await reading;
      process.kill(app.pid, "SIGCONT");
    }
    await desk.close();
    after(cycle);
  }
}

if (import.meta.main) {
  const count = Number(process.argv[2] ?? 300);
  await using scratch = await ScratchDesktop.start();
  await live(scratch, count, (cycle) => {
    if (cycle % 25 === 24 || cycle === count - 1) {
      const { descriptors, threads, megabytes } = held();
      console.log(`${cycle + 1}: ${descriptors} descriptors, ${threads} threads, ${megabytes.toFixed(1)} MB`);
    }
  });
}
