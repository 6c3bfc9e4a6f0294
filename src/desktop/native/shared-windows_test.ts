import assert from "node:assert/strict";
import type { NativeWindow } from "./replies.ts";
import { OF_A_STEP, SharedWindows } from "./shared-windows.ts";

/** Counts how often it is asked, and answers when it is told to. */
function source() {
  const waiting: {
    readonly answer: (windows: NativeWindow[]) => void;
    readonly fail: (why: Error) => void;
  }[] = [];
  const shared = new SharedWindows(() =>
    new Promise((answer, fail) => {
      waiting.push({ answer, fail });
    })
  );
  return { shared, waiting };
}

Deno.test("who asks for places in the same moment shares one list of windows", async () => {
  const { shared, waiting } = source();
  const all = [shared.recent({}), shared.recent({}), shared.recent({})];
  assert.equal(waiting.length, 1);
  waiting[0]?.answer([]);
  const [one, ...others] = await Promise.all(all);
  assert.ok(others.every((other) => other === one));
});

Deno.test("after something was sent the windows are asked for anew, and by who wants them as they are", async () => {
  const { shared, waiting } = source();
  const first = shared.recent({});
  shared.forget();
  const second = shared.recent({});
  const third = shared.fresh({});
  assert.equal(waiting.length, 3);
  for (const { answer } of waiting) answer([]);
  assert.notEqual(await first, await second);
  assert.notEqual(await second, await third);
});

Deno.test("the failure of who asked first is not that of the others", async () => {
  const { shared, waiting } = source();
  const first = shared.recent({});
  const second = shared.recent({});
  waiting[0]?.fail(new Error("called off"));
  await assert.rejects(first, /called off/);
  for (let turns = 0; waiting.length < 2 && turns < 10; turns++) await Promise.resolve();
  waiting[1]?.answer([]);
  assert.deepEqual(await second, []);
});

Deno.test("nobody waits for an answer that may take longer than they have", async () => {
  const { shared, waiting } = source();
  const both = [shared.recent({ timeout: 10_000 }), shared.recent({ timeout: 100 })];
  assert.equal(waiting.length, 2);
  for (const { answer } of waiting) answer([]);
  await Promise.all(both);
});

Deno.test("what a step asks of windows may be older than what places are told by, and stands when something moves in one", async () => {
  const { shared, waiting } = source();
  const first = shared.recent({});
  waiting[0]?.answer([]);
  await first;
  const { now } = performance;
  const at = performance.now();
  try {
    performance.now = () => at + 30;
    assert.equal(await shared.recent({}, OF_A_STEP), await first);
    performance.now = () => at;
    shared.moved();
    assert.equal(await shared.recent({}, OF_A_STEP), await first);
    const again = shared.recent({});
    assert.equal(waiting.length, 2, "who wants to know where exactly asks again");
    waiting[1]?.answer([]);
    await again;
    performance.now = () => at + 200;
    void shared.recent({}, OF_A_STEP);
    assert.equal(waiting.length, 3);
    waiting[2]?.answer([]);
  } finally {
    performance.now = now;
  }
});
