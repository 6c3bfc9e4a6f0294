import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { writeAuthority } from "../x11/authority.ts";
import { setRootProperty } from "./root-property.ts";

Deno.test("a property of a display that is not there is an error that names both", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backstep-"));
  try {
    const key = join(folder, "Xauthority");
    writeAuthority(key);
    const set = setRootProperty(":65000", key, "AT_SPI_BUS", "unix:path=/x", Deadline.after(2_000));
    await assert.rejects(set, (error: unknown) => {
      assert.ok(error instanceof BackstepError);
      assert.equal(error.code, "no_desktop");
      assert.match(error.message, /^Cannot set AT_SPI_BUS on display :65000: /);
      return true;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
