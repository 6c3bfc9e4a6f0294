import assert from "node:assert/strict";
import { architectureReference, faultsOf } from "./architecture.ts";

Deno.test("a folder without a line, and a line without a folder, are named", () => {
  assert.deepEqual(faultsOf(["src", "src/new"], { src: "the packages", "src/old": "gone" }), [
    "src/new/ has no line in scripts/architecture.ts: say what it is for",
    "src/old/ is not there: remove its line from scripts/architecture.ts",
  ]);
});

Deno.test("every folder of the code has its line", () => {
  assert.match(architectureReference(), /^ {4}- `src\/engine\/journal\/`: /m);
});
