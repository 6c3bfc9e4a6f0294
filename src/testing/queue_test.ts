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

Deno.test("what is to be alone comes when nothing else can be done, and nothing is done beside it", async () => {
  const alone = { ...item("again"), alone: true };
  const first = { ...item("a"), mayReturn: true };
  const queue = new Queue<typeof first & { alone?: boolean }>([first, { ...item("b"), mayReturn: false }]);
  const a = await queue.take();
  const b = await queue.take();
  assert.deepEqual([a?.name, b?.name], ["a", "b"]);
  let given: string | undefined;
  const waiting = queue.take().then((one) => (given = one?.name, one));
  if (a) queue.giveBack(a, { ...alone, mayReturn: false });
  await Promise.resolve();
  assert.equal(given, undefined, "b is still out");
  if (b) queue.giveBack(b);
  const again = await waiting;
  assert.equal(again?.name, "again");
  assert.equal(await queue.take(), undefined, "nothing can come back any more");
});

Deno.test("what is not ready waits for what is given back; where that cannot come, there is nothing", async () => {
  const done = new Set<string>();
  const queue = new Queue([item("b"), item("a")], ({ name }) => name === "a" || done.has("a"));
  const first = await queue.take();
  assert.equal(first?.name, "a");
  const waiting = queue.take();
  done.add("a");
  if (first) queue.giveBack(first);
  assert.equal((await waiting)?.name, "b");
  assert.equal(await new Queue([item("never")], () => false).take(), undefined);
});
