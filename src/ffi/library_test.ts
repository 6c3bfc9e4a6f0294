import assert from "node:assert/strict";
import { loadLibrary } from "./library.ts";

Deno.test("an absent library is reported with its path and the command that builds it", async () => {
  await assert.rejects(loadLibrary("/nowhere/libbackstep.so"), {
    code: "missing",
    message: /\/nowhere\/libbackstep\.so/,
    hint: /tools\/setup\.sh/,
  });
});
