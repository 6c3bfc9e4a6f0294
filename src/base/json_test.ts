import assert from "node:assert/strict";
import { nestsDeeper } from "./json.ts";

Deno.test("how deep JSON nests is told without a stack", () => {
  assert.equal(nestsDeeper(JSON.parse("[".repeat(100_000) + "]".repeat(100_000))), true);
  assert.equal(nestsDeeper({ a: [{ b: 1 }] }, 3), false);
  assert.equal(nestsDeeper({ a: [{ b: 1 }] }, 2), true);
  assert.equal(nestsDeeper("text", 0), false);
});
