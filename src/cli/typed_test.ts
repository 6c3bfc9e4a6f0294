import assert from "node:assert/strict";
import { typed } from "./typed.ts";

Deno.test("who came by npx is told to come by npx again", () => {
  assert.equal(typed("init", "exec"), "npx --no-install backstep init");
  assert.equal(typed("init", "run-script"), "backstep init");
});
