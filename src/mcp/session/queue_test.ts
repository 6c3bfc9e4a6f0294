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
  const goodbye = queue.run("b", never, () => Promise.resolve("ended"), true);
  stop.abort();
  await ends;
  held.resolve();
  await first;
  assert.equal(await goodbye, "ended", "who ends is not refused");
  assert.equal(await queue.run("b", never, () => Promise.resolve(1)), 1);
});

Deno.test("a queue: who waits for something else lets others go before, but not its own next", async () => {
  const queue = new Queue();
  const order: string[] = [];
  const asked = Promise.withResolvers<void>();
  const action = (what: string) => () => Promise.resolve(void order.push(what));
  const first = queue.run("a", never, async ({ aside }) => {
    order.push("a1 begins");
    await aside(() => asked.promise);
    order.push("a1 ends");
  });
  const own = queue.run("a", never, action("a2"));
  await queue.run("b", never, action("b1"));
  await queue.run("b", never, action("b2"));
  assert.equal(queue.waiting, 1);
  asked.resolve();
  await Promise.all([first, own]);
  assert.deepEqual(order, ["a1 begins", "b1", "b2", "a1 ends", "a2"]);
});

Deno.test("a queue: who went aside comes back when the turn is free, and not at all once it is cancelled", async () => {
  const queue = new Queue();
  const stop = new AbortController();
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let came = false;
  const first = queue.run("a", stop.signal, async ({ aside }) => {
    await aside(() => asked.promise);
    came = true;
  });
  const own = queue.run("a", never, () => Promise.resolve("own"));
  const other = queue.run("b", never, () => held.promise);
  asked.resolve();
  await Promise.resolve();
  stop.abort();
  await assert.rejects(first, { code: "cancelled" });
  held.resolve();
  await other;
  assert.deepEqual([await own, came, queue.waiting], ["own", false, 0]);
});

Deno.test("a queue: where it is cancelled while nobody else is there, its own next goes on", async () => {
  const queue = new Queue();
  const stop = new AbortController();
  const first = queue.run("a", stop.signal, ({ aside }) =>
    aside(() => {
      stop.abort();
      return Promise.resolve();
    }));
  const own = queue.run("a", never, () => Promise.resolve("own"));
  await assert.rejects(first, { code: "cancelled" });
  assert.equal(await own, "own");
  assert.equal(await queue.run("b", never, () => Promise.resolve("b")), "b");
});
