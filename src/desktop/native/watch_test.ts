import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import type { DesktopEvent } from "../desktop.ts";
import { EventWatch } from "./watch.ts";

const ignore = () => {};
function event(path: string, over: Partial<DesktopEvent> = {}): DesktopEvent {
  return { bus: ":1.1", path, kind: "focus:", detail1: 0, detail2: 0, text: "", ...over };
}

Deno.test("what arrived before next was called is not missed", async () => {
  const watch = new EventWatch(undefined, ignore);
  watch.push(event("/a"));
  watch.push(event("/b"));
  assert.equal(await watch.next({ timeout: 1_000 }), "event");
  assert.deepEqual(watch.take().map((e) => e.path), ["/a", "/b"]);
  assert.equal(await watch.next({ timeout: 1 }), "timeout");
});

Deno.test("next wakes when something arrives, for every waiter", async () => {
  const watch = new EventWatch(undefined, ignore);
  const waiting = watch.next({ timeout: 5_000 });
  watch.push(event("/a"));
  assert.equal(await waiting, "event");
});

Deno.test("a watch on one application hears nothing of the others", async () => {
  const watch = new EventWatch(":1.2", ignore);
  watch.push(event("/a"));
  assert.equal(await watch.next({ timeout: 1 }), "timeout");
  watch.push(event("/b", { bus: ":1.2" }));
  assert.equal(await watch.next({ timeout: 1 }), "event");
});

Deno.test("the 4,097th event in the queue makes them lost, and take is empty", async () => {
  const watch = new EventWatch(undefined, ignore);
  for (let k = 0; k < 4_096; k++) watch.push(event(`/${k}`));
  assert.equal(await watch.next({ timeout: 1 }), "event");
  watch.push(event("/one-more"));
  assert.equal(await watch.next({ timeout: 1 }), "lost");
  assert.deepEqual(watch.take(), []);
  watch.push(event("/after"));
  assert.equal(await watch.next({ timeout: 1 }), "event");
  assert.deepEqual(watch.take().map((e) => e.path), ["/after"]);
});

Deno.test("long texts are bounded together", async () => {
  const watch = new EventWatch(undefined, ignore);
  for (let k = 0; k < 5; k++) watch.push(event("/a", { text: "x".repeat(1024 * 1024) }));
  assert.equal(await watch.next({ timeout: 1 }), "lost");
});

Deno.test("a loss on the way is told", async () => {
  const watch = new EventWatch(undefined, ignore);
  watch.push(event("/a"));
  watch.lose();
  assert.equal(await watch.next({ timeout: 1 }), "lost");
  assert.deepEqual(watch.take(), []);
});

Deno.test("a signal that fires ends next as cancelled, and the watch goes on", async () => {
  const watch = new EventWatch(undefined, ignore);
  const controller = new AbortController();
  const waiting = watch.next({ timeout: 5_000, signal: controller.signal });
  controller.abort();
  await assert.rejects(waiting, { code: "cancelled" });
  watch.push(event("/a"));
  assert.equal(await watch.next({ timeout: 1 }), "event");
});

Deno.test("closing wakes whoever waits and tells the owner", async () => {
  let closed = 0;
  const watch = new EventWatch(undefined, () => closed++);
  const waiting = watch.next({ timeout: 5_000 });
  watch.close();
  await assert.rejects(waiting, { code: "cancelled" });
  await assert.rejects(watch.next({ timeout: 1 }), { code: "cancelled" });
  watch.push(event("/a"));
  assert.deepEqual(watch.take(), []);
  assert.equal(closed, 1);
});

Deno.test("a broken connection rejects with its own error", async () => {
  const watch = new EventWatch(undefined, ignore);
  watch.end(new BackstepError("no_desktop", "Cannot wait for an event: the bus broke"));
  await assert.rejects(watch.next({ timeout: 1 }), { code: "no_desktop" });
});
