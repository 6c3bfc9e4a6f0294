import assert from "node:assert/strict";
import { loadLibrary } from "./library.ts";

Deno.test("an absent library is reported with its path and the command that builds it", async () => {
  await assert.rejects(loadLibrary("/nowhere/libbackstep.so"), {
    code: "missing",
    message: /\/nowhere\/libbackstep\.so/,
    // In an emitted tree there is no setup script, and `make` is named.
    hint: /tools\/setup\.sh|make -C/,
  });
});
