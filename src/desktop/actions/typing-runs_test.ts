import assert from "node:assert/strict";
import { typingRuns } from "./typing-runs.ts";

Deno.test("a text comes apart where a keymap would need a 48th character", () => {
  const letters = Array.from({ length: 100 }, (_, k) => String.fromCodePoint(0x4e00 + k));
  const runs = typingRuns(letters.join(""));
  assert.deepEqual(runs.map((run) => run.length), [47, 47, 6]);
  assert.equal(runs.join(""), letters.join(""));
});

Deno.test("what is typed again, a new line and a tab need no further key", () => {
  const letters = Array.from({ length: 47 }, (_, k) => String.fromCodePoint(0x4e00 + k)).join("");
  assert.deepEqual(typingRuns(`${letters}\n\t${letters}`), [`${letters}\n\t${letters}`]);
  assert.deepEqual(typingRuns(""), []);
});
