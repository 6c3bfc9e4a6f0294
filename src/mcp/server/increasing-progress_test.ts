import assert from "node:assert/strict";
import { IncreasingProgress } from "./increasing-progress.ts";

Deno.test("progress that rises is passed on as it is, a first zero too", () => {
  const increasing = new IncreasingProgress();
  assert.deepEqual([0, 50, 100].map((done) => increasing.next(done, 100)), [0, 50, 100]);
});

Deno.test("progress without numbers counts up", () => {
  const increasing = new IncreasingProgress();
  assert.deepEqual([1, 2, 3].map(() => increasing.next(undefined, undefined)), [1, 2, 3]);
});

Deno.test("progress that stands still, falls back or is no number still rises, and stays short of the total", () => {
  const increasing = new IncreasingProgress();
  const sent = [1, 1, 0, -5, NaN, 3, undefined, 3.9999999].map((done) => increasing.next(done, 4));
  for (const [at, value] of sent.entries()) {
    if (at > 0) assert.ok(value > (sent[at - 1] ?? Infinity), `${sent}`);
    assert.ok(value < 4, `${sent}`);
  }
});

Deno.test("progress rises where a fraction is lost beside the number", () => {
  const increasing = new IncreasingProgress();
  const sent = [1e17, 1e17, 1e17].map((done) => increasing.next(done, undefined));
  assert.ok((sent[2] ?? 0) > (sent[1] ?? 0) && (sent[1] ?? 0) > (sent[0] ?? 0), `${sent}`);
});
