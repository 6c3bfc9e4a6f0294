import { deepEqual, equal } from "node:assert/strict";
import { inPieces } from "./pieces.ts";

Deno.test("a text is typed in pieces that make it up again, each key that goes on alone", () => {
  deepEqual(inPieces("a\r\nb\t"), ["a", "\r", "\n", "b", "\t"]);
  deepEqual(inPieces(""), []);
  const long = "𝄞x".repeat(100);
  const pieces = inPieces(long);
  equal(pieces.join(""), long);
  equal(pieces.every((piece) => [...piece].length <= 64), true);
});
