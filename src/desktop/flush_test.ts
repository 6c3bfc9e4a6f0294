import assert from "node:assert/strict";
import { Deadline } from "../base/call.ts";
import { flushTurns } from "./flush.ts";

Deno.test("what reports late is flushed at the beginning of each turn, and each lasts twice as long", async () => {
  let flushes = 0;
  const turns = flushTurns(() => Promise.resolve(void flushes++), Deadline.after(10_000));
  const lasts: number[] = [];
  for (let k = 0; k < 6; k++) lasts.push(Math.round((await turns()).remaining()));
  assert.equal(flushes, 6);
  assert.deepEqual(lasts, [4, 8, 16, 32, 64, 64]);
});

Deno.test("where nothing is to be flushed there is one turn, as long as the wait", async () => {
  const deadline = Deadline.after(10_000);
  assert.equal(await flushTurns(undefined, deadline)(), deadline);
});
