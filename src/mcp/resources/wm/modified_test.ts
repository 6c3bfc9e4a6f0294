import assert from "node:assert/strict";
import { Modified } from "./modified.ts";

Deno.test("a body keeps the time of its last change, and the least lately read is forgotten", () => {
  let second = 0;
  const modified = new Modified(() => new Date(Date.UTC(2026, 0, 1, 0, 0, second++)));
  const first = modified.note("a", "1");
  assert.equal(first, "2026-01-01T00:00:00.000Z");
  assert.equal(modified.note("a", "1"), first);
  const changed = modified.note("a", "2");
  assert.ok(changed > first);
  assert.deepEqual([modified.at("a"), modified.at("b")], [changed, undefined]);
  for (let n = 0; n < 499; n++) modified.note(`b${n}`, "");
  assert.equal(modified.note("a", "2"), changed);
  modified.note("c", "");
  assert.deepEqual([modified.at("a"), modified.at("b0")], [changed, undefined]);
});
