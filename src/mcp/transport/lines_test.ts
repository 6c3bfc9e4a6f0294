import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Lines } from "./lines.ts";

Deno.test("lines are found wherever the chunks are cut, within a character too", () => {
  const bytes = Buffer.from("eins\nzwölf\n\nend");
  for (let size = 1; size <= bytes.length; size++) {
    const lines = new Lines(100);
    const found = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...lines.take(bytes.subarray(at, at + size)));
    assert.deepEqual(found, [{ text: "eins" }, { text: "zwölf" }, { text: "" }], `chunks of ${size}`);
  }
});

Deno.test("a line that is too long is thrown away, and the next one is read", () => {
  const lines = new Lines(10);
  const found = ["short\nlong", " and longer", " still\nnext\n"].flatMap((
    part,
  ) => [...lines.take(Buffer.from(part))]);
  assert.deepEqual(found, [{ text: "short" }, { tooLong: 21 }, { text: "next" }]);
});
