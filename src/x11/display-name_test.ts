import assert from "node:assert/strict";
import { displayNameOf } from "./display-name.ts";

Deno.test("a display of this machine is named by its number or by the path of its socket", () => {
  const seven = { path: "/tmp/.X11-unix/X7", number: "7", screen: 0 };
  assert.deepEqual(displayNameOf(":7"), seven);
  assert.deepEqual(displayNameOf("unix:7"), seven);
  assert.deepEqual(displayNameOf(":7.1"), { ...seven, screen: 1 });
  assert.deepEqual(displayNameOf("/run/x/X"), { path: "/run/x/X", number: "", screen: 0 });
  assert.deepEqual(displayNameOf("unix:/run/x.d/X.2"), { path: "/run/x.d/X", number: "", screen: 2 });
});

Deno.test("a display of another machine, or none, is an error that names it", () => {
  assert.throws(() => displayNameOf("elsewhere:10.0"), { code: "unsupported", message: /"elsewhere:10.0"/ });
  for (const none of ["", ":", "seven", ":7.x"]) {
    assert.throws(() => displayNameOf(none), { code: "invalid" }, none);
  }
});
