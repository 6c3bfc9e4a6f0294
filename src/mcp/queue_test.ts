import assert from "node:assert/strict";
import { Queue } from "./queue.ts";

const never = new AbortController().signal;

Deno.test("a queue: whoever asks often does not keep others waiting", async () => {
  const queue = new Queue();
  const order: string[] = [];
  const asked = ["a1", "a2", "a3", "b1", "c1", "b2"].map((what) =>
    queue.run(what.slice(0, 1), never, () => {
      order.push(what);
      return Promise.resolve();
    })
  );
  assert.equal(queue.waiting, 5);
  await Promise.all(asked);
  assert.deepEqual(order, ["a1", "a2", "b1", "c1", "a3", "b2"]);
  assert.equal(queue.waiting, 0);
});

Deno.test("a queue: one at a time, and one that fails is followed by the next", async () => {
  const queue = new Queue();
  let inside = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      queue.run(String(n % 3), never, async () => {
        most = Math.max(most, ++inside);
        await Promise.resolve();
        inside--;
        if (n % 2) throw new Error("no");
      })),
  );
  assert.deepEqual([most, results.filter(({ status }) => status === "fulfilled").length], [1, 10]);
});

Deno.test("a queue: who waits can give up, and its turn goes to the next", async () => {
  const queue = new Queue();
  const held = Promise.withResolvers<void>();
  const first = queue.run("a", never, () => held.promise);
  const stop = new AbortController();
  let did = false;
  const second = queue.run("b", stop.signal, () => Promise.resolve(void (did = true)));
  const third = queue.run("b", never, () => Promise.resolve("third"));
  stop.abort();
  await assert.rejects(second, { code: "cancelled" });
  await assert.rejects(queue.run("a", AbortSignal.abort(), () => Promise.resolve()), { code: "cancelled" });
  assert.equal(queue.waiting, 1);
  held.resolve();
  await first;
  assert.equal(await third, "third");
  assert.equal(did, false);
});

Deno.test("a queue: it does not grow without an end", async () => {
  const queue = new Queue();
  const held = Promise.withResolvers<void>();
  const stop = new AbortController();
  const first = queue.run("a", never, () => held.promise);
  const waiting = Array.from({ length: 1_000 }, () => queue.run("a", stop.signal, () => Promise.resolve()));
  const ends = Promise.allSettled(waiting);
  await assert.rejects(queue.run("b", never, () => Promise.resolve()), { code: "limit" });
  stop.abort();
  await ends;
  held.resolve();
  await first;
  assert.equal(await queue.run("b", never, () => Promise.resolve(1)), 1);
});
