import assert from "node:assert/strict";
import { patiently } from "./patience.ts";

Deno.test("what takes its time is told of once, with what it is busy with", async () => {
  const reported: string[] = [];
  const heard = Promise.withResolvers<string>();
  const call = {
    progress(message: string) {
      reported.push(message);
      heard.resolve(message);
    },
  };
  assert.equal(await patiently("Save", call, () => heard.promise, 1), "Still busy with 'Save'");
  assert.deepEqual(reported, ["Still busy with 'Save'"]);
});

Deno.test("what ends at once tells nothing, and leaves no timer, whether it fails or not", async () => {
  const call = { progress: () => assert.fail("it is over") };
  assert.equal(await patiently(undefined, call, () => Promise.resolve(7)), 7);
  await assert.rejects(patiently("Save", call, () => Promise.reject(new Error("gone"))), /gone/);
});
