import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeAuthority } from "./authority.ts";

Deno.test("an authority file is one wild entry with a cookie of sixteen bytes, for its owner alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "backstep-"));
  try {
    const file = join(folder, "Xauthority");
    writeAuthority(file);
    const bytes = readFileSync(file);
    assert.equal(bytes.subarray(0, 6).toString("hex"), "ffff00000000");
    assert.equal(bytes.readUInt16BE(6), 18);
    assert.equal(bytes.subarray(8, 26).toString(), "MIT-MAGIC-COOKIE-1");
    assert.equal(bytes.readUInt16BE(26), 16);
    assert.equal(bytes.length, 44);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.throws(() => writeAuthority(file), /EEXIST/, "a file that is there is somebody's");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
