import assert from "node:assert/strict";
import { parseStat } from "./process-stat.ts";

Deno.test("a stat line is read past any name", () => {
  const rest = Array.from({ length: 19 }, (_, k) => k + 4).join(" ");
  const stat = parseStat(`42 (a) b (c)) S ${rest} 23`);
  assert.equal(stat?.pid, 42);
  assert.equal(stat?.command, "a) b (c)");
  assert.equal(stat?.state, "S");
  assert.equal(stat?.parent, 4);
  assert.equal(stat?.session, 6);
  assert.equal(stat?.start, 22);
  // Field 9 holds flags: 9 is without the one of a process that ends, 0x40850c has it.
  assert.equal(stat?.exiting, false);
  assert.equal(parseStat(`42 (a) S ${rest.replace(" 9 ", ` ${0x40850c} `)} 23`)?.exiting, true);
  assert.equal(parseStat("nonsense"), undefined);
});
