import assert from "node:assert/strict";
import { PLAIN } from "../report/style.ts";
import { findingLines } from "./findings.ts";

Deno.test("what a program said last stands below its finding, in its column, and cannot steer the terminal", () => {
  const lines = findingLines([
    { name: "Xvfb", ok: true, needed: true, says: "/usr/bin/Xvfb" },
    {
      name: "private desktop",
      ok: false,
      needed: true,
      says: "xvfb: it ended\n\x1b[2Jfatal",
      fix: "apt-get",
    },
    { name: "yours", ok: false, needed: false, says: "none" },
  ], PLAIN);
  assert.deepEqual(lines, [
    "✓ Xvfb             /usr/bin/Xvfb",
    "✗ private desktop  xvfb: it ended",
    "                   \\u{1b}[2Jfatal",
    "                   apt-get",
    "– yours            none",
  ]);
});
