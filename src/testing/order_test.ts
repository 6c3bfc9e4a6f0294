import assert from "node:assert/strict";
import { longestFirst, ofShard, readShard, shuffled } from "./order.ts";

const items = (durations: Readonly<Record<string, number | undefined>>) =>
  Object.entries(durations).map(([file, expected]) => ({ file, expected }));
const names = (list: readonly { readonly file: string }[]) => list.map(({ file }) => file).join("");

Deno.test("the longest begins first; one that never ran is taken for an average one; else it goes by path", () => {
  assert.equal(names(longestFirst(items({ a: 10, b: 30, c: undefined, d: 20, e: 20 }))), "bcdea");
  assert.equal(names(longestFirst(items({ b: undefined, a: undefined }))), "ab");
});

Deno.test("a random order holds every file once; its seed repeats it, whatever order they come in", () => {
  const all = [..."abcdefgh"].map((id) => ({ id }));
  const ids = (seed: number, list = all) => shuffled(list, seed).map(({ id }) => id).join("");
  assert.equal(ids(7), ids(7, all.toReversed()));
  assert.equal([...ids(7)].sort().join(""), "abcdefgh");
  const firsts = new Set(Array.from({ length: 200 }, (_, seed) => ids(seed)[0]));
  assert.equal(firsts.size, 8, "each of them begins some order");
  assert.deepEqual(shuffled([], 1), []);
});

Deno.test("shards hold every file once, and are balanced by how long files took", () => {
  const all = items({ a: 60, b: 10, c: 10, d: 10, e: 10, f: 10, g: 10 });
  assert.equal(names(ofShard(all, { index: 1, total: 2 })), "a");
  assert.equal(names(ofShard(all, { index: 2, total: 2 })), "bcdefg");
  const many = items(
    Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`f${n}`, (n * 37) % 23 || undefined])),
  );
  const shards = [1, 2, 3].map((index) => ofShard(many, { index, total: 3 }));
  assert.equal(new Set(shards.flat()).size, 41);
  assert.equal(shards.flat().length, 41);
  const loads = shards.map((shard) => shard.reduce((sum, { expected = 11 }) => sum + expected, 0));
  assert.ok(Math.max(...loads) - Math.min(...loads) <= 23, loads.join(" "));
});

Deno.test("a shard that has nothing left to do is empty", () => {
  assert.deepEqual(ofShard(items({ a: 1 }), { index: 3, total: 3 }), []);
});

Deno.test("a shard is i/n, and i is one of the n", () => {
  assert.deepEqual(readShard("2/3"), { index: 2, total: 3 });
  for (const text of ["0/3", "4/3", "1", "1/", "a/b", "1/0", "-1/2"]) {
    assert.throws(() => readShard(text), { code: "usage" }, text);
  }
});
