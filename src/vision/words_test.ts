import assert from "node:assert/strict";
import { findWords, type ReadWord } from "./words.ts";

function line(y: number, ...words: readonly string[]): ReadWord[] {
  return words.map((text, at) => ({
    text,
    confidence: 0.9,
    rect: { x: 100 * at, y, width: 80, height: 10 },
  }));
}
const PAGE = [
  line(0, "File", "Edit", "View"),
  line(20, "Save", "As..."),
  line(40, "Save"),
  line(60, "Canccl"),
];

Deno.test("a quoted text is found where it stands alone, not in a longer one", () => {
  const { rect, confidence } = findWords(PAGE, 'the "Save As" entry');
  assert.deepEqual(rect, { x: 0, y: 20, width: 180, height: 10 });
  assert.equal(confidence, 0.9);
});

Deno.test("words that name kinds of elements are not looked for", () => {
  assert.deepEqual(findWords(PAGE, "the Edit menu at the top").rect, { x: 100, y: 0, width: 80, height: 10 });
});

Deno.test("a letter that was misread does not hide a word", () => {
  assert.deepEqual(findWords(PAGE, "Cancel button").rect, { x: 0, y: 60, width: 80, height: 10 });
});

Deno.test("what is not written is not found, and a description of nothing but kinds is taken by its words", () => {
  assert.equal(findWords(PAGE, "Print").rect, undefined);
  assert.equal(findWords([], "Print").rect, undefined);
  assert.deepEqual(findWords([line(0, "Button")], "button").rect, { x: 0, y: 0, width: 80, height: 10 });
});
