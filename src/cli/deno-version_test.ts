import assert from "node:assert/strict";
import { oldDeno } from "./deno-version.ts";

Deno.test("a Deno that closes descriptors twice is named, with what to do", () => {
  for (const old of ["2.9.5", "2.9.0", "2.8.12", "1.46.3", "2.9.5+abc"]) {
    assert.equal(oldDeno(old)?.fix, "Upgrade to 2.9.6 or later: deno upgrade", old);
  }
  for (const fine of ["2.9.6", "2.9.10", "2.10.0", "3.0.0", "2.9.7+abc", undefined]) {
    assert.equal(oldDeno(fine), undefined, fine);
  }
});
