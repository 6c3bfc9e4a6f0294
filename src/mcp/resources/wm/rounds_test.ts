import assert from "node:assert/strict";
import { openSession } from "../../../session/open-session.ts";
import type { WindowManager, WmWindow } from "../../../wm/model.ts";
import { testHost } from "../_client.ts";
import { TestTimers } from "../subscriptions/_timers.ts";
import { Followed } from "./followed.ts";

/** A window manager whose only window has the title that a test sets, and which answers when a test lets it. */
class Scripted {
  title = "";
  held: Promise<void> = Promise.resolve();
  listeners = new Set<() => void>();
  reads = 0;

  readonly manager: WindowManager = {
    kind: "niri",
    parts: new Set(),
    outputs: () => Promise.resolve([]),
    workspaces: () => Promise.resolve([]),
    windows: async () => {
      this.reads++;
      const { title } = this;
      await this.held;
      return [{ ...WINDOW, title }];
    },
    layers: () => Promise.resolve([]),
    keyboardLayouts: () => Promise.resolve({ names: [], current_idx: 0 }),
    overview: () => Promise.resolve({ is_open: false }),
    command: () => Promise.resolve(),
    on: (changed) => {
      this.listeners.add(changed);
      return () => this.listeners.delete(changed);
    },
    close: () => {},
  };

  rename(title: string): void {
    this.title = title;
    for (const changed of this.listeners) changed();
  }
}

const WINDOW: WmWindow = {
  id: 1,
  title: null,
  app_id: null,
  pid: null,
  workspace_id: null,
  is_focused: false,
  is_floating: false,
  is_urgent: null,
  rect: null,
  content: null,
  is_visible: null,
  stacking: null,
  is_x11: null,
};

/** Follows the title of the window; time passes when a test says so. */
async function following(
  use: (
    one: { timers: TestTimers; first: Scripted; replace(by: Scripted): void; count(): number; stop(): void },
  ) => Promise<void>,
): Promise<void> {
  const session = await openSession({ kind: "simulated" });
  const first = new Scripted(), timers = new TestTimers();
  let now = first, count = 0;
  const host = testHost({ ...session, windowManager: () => Promise.resolve(now.manager) });
  const followed = new Followed(host, timers);
  const stop = await followed.follow({
    key: "title",
    polled: true,
    render: async (reading) => (await reading.windows())[0]?.title ?? "",
  }, () => void count++);
  try {
    await use({ timers, first, replace: (by) => void (now = by), count: () => count, stop });
  } finally {
    stop();
    await session.close();
  }
}

Deno.test("events of 5 ms are one reading; without any it is read every two seconds", async () => {
  await following(async ({ timers, first, count, stop }) => {
    const before = first.reads;
    for (const title of ["a", "b", "c"]) {
      first.rename(title);
      await timers.pass(1);
    }
    await timers.pass(1);
    assert.deepEqual([first.reads - before, count()], [0, 0]);
    await timers.pass(1);
    assert.deepEqual([first.reads - before, count()], [1, 1]);
    first.title = "d";
    await timers.pass(1_900);
    assert.equal(count(), 1);
    await timers.pass(100);
    assert.deepEqual([first.reads - before, count()], [2, 2]);
    stop();
    assert.equal(first.listeners.size, 0);
    first.rename("e");
    await timers.pass(10_000);
    assert.deepEqual([first.reads - before, count()], [2, 2]);
  });
});

Deno.test("what changes during a reading is read after it", async () => {
  await following(async ({ timers, first, count }) => {
    const held = Promise.withResolvers<void>();
    first.held = held.promise;
    first.rename("a");
    await timers.pass(5);
    first.rename("b");
    await timers.pass(25);
    assert.equal(count(), 0, "the reading is under way");
    held.resolve();
    await timers.pass(0);
    assert.equal(count(), 1);
    await timers.pass(80);
    assert.equal(count(), 2);
  });
});

Deno.test("what comes soon after a reading is read 25 ms after it, what comes later at once", async () => {
  await following(async ({ timers, first, count }) => {
    first.rename("a");
    await timers.pass(5);
    assert.equal(count(), 1);
    first.rename("b");
    await timers.pass(24);
    assert.equal(count(), 1);
    await timers.pass(1);
    assert.equal(count(), 2);
    await timers.pass(25);
    first.rename("c");
    await timers.pass(5);
    assert.equal(count(), 3);
  });
});

Deno.test("a reading that takes long makes the next one wait, 80 ms at most", async () => {
  await following(async ({ timers, first, count }) => {
    const held = Promise.withResolvers<void>();
    first.held = held.promise;
    first.rename("a");
    await timers.pass(5 + 500);
    held.resolve();
    await timers.pass(0);
    first.rename("b");
    await timers.pass(79);
    assert.equal(count(), 1);
    await timers.pass(1);
    assert.equal(count(), 2);
  });
});

Deno.test("the events of a window manager that takes the place of another are heard", async () => {
  await following(async ({ timers, first, replace, count }) => {
    const second = new Scripted();
    replace(second);
    await timers.pass(2_000);
    assert.deepEqual([first.listeners.size, second.listeners.size, count()], [0, 1, 0]);
    await timers.pass(25);
    second.rename("b");
    await timers.pass(5);
    assert.equal(count(), 1);
  });
});
