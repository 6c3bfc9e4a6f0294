import assert from "node:assert/strict";
import { cut, pad, table, width, wrap } from "./layout.ts";
import { COLOUR } from "./style.ts";

Deno.test("wide letters take two columns, joined accents and paint none", () => {
  assert.equal(width("Grüße"), 5);
  assert.equal(width("世界"), 4);
  assert.equal(width("e\u0301"), 1);
  assert.equal(width("🙂"), 2);
  assert.equal(width(COLOUR.bad("no")), 2);
});

Deno.test("a cut text never takes more columns than it may, and says that it is cut", () => {
  assert.equal(cut("short", 5), "short");
  assert.equal(cut("longer", 5), "long…");
  assert.equal(cut("世界世界", 6), "世界…");
  assert.equal(cut("世界世界", 5), "世界…");
});

Deno.test("text is broken between words, and within one that is too long", () => {
  assert.deepEqual(wrap("one two three four five six", 20), ["one two three four", "five six"]);
  assert.deepEqual(wrap(`a ${"x".repeat(25)} b`, 20), ["a", "x".repeat(20), "xxxxx b"]);
  assert.deepEqual(wrap("one\ntwo", 20), ["one", "two"]);
  assert.deepEqual(wrap("as it is", Infinity), ["as it is"]);
});

Deno.test("a table's columns stand below each other, painted or not", () => {
  assert.deepEqual(table([["a", "b"], [COLOUR.good("long"), "c"]]), ["a     b", `${COLOUR.good("long")}  c`]);
  assert.equal(pad("世", 4), "世  ");
});
