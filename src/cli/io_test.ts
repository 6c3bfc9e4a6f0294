import assert from "node:assert/strict";
import process from "node:process";
import { processIo } from "./io.ts";

Deno.test("a program that runs many commands listens once for a reader that goes away", () => {
  processIo("quiet");
  const before = [process.stdout, process.stderr].map((stream) => stream.listenerCount("error"));
  for (let i = 0; i < 20; i++) processIo("quiet");
  assert.deepEqual(
    [process.stdout, process.stderr].map((stream) => stream.listenerCount("error")),
    before,
  );
});
