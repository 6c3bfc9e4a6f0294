import assert from "node:assert/strict";
import { Queue } from "./queue.ts";

const item = (name: string, ...locks: string[]) => ({ name, locks });

Deno.test("what is locked is passed over, and waited for when nothing else is left", async () => {
  const queue = new Queue([item("a", "x"), item("b", "x", "y"), item("c"), item("d", "y")]);
  const first = await queue.take();
  assert.equal(first?.name, "a");
  assert.equal((await queue.take())?.name, "c");
  const fourth = await queue.take();
  assert.equal(fourth?.name, "d");
  const waiting = queue.take();
  if (first) queue.giveBack(first);
  if (fourth) queue.giveBack(fourth);
  assert.equal((await waiting)?.name, "b");
  assert.equal(await queue.take(), undefined);
});

Deno.test("those who wait are told when what is left is taken away", async () => {
  const queue = new Queue([item("a", "x"), item("b", "x")]);
  await queue.take();
  const waiting = [queue.take(), queue.take()];
  assert.deepEqual(queue.drain().map(({ name }) => name), ["b"]);
  assert.deepEqual(await Promise.all(waiting), [undefined, undefined]);
});
