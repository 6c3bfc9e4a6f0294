import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { authorityOf, cookieFor, cookieIn, writeAuthority } from "./authority.ts";

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

/** An entry of Xauthority(5). */
function entry(family: number, address: string, number: string, name: string, data: string): Buffer {
  const parts = [address, number, name, data].map((field) => {
    const bytes = Buffer.from(field), length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  const head = Buffer.alloc(2);
  head.writeUInt16BE(family);
  return Buffer.concat([head, ...parts]);
}

Deno.test("the cookie is that of the first entry for this machine and this display", () => {
  const kind = "MIT-MAGIC-COOKIE-1";
  const entries = [
    entry(0, "\x7f\0\0\x01", "7", kind, "of the network..."),
    entry(256, "elsewhere", "7", kind, "of another machine"),
    entry(256, hostname(), "7", "XDM-AUTHORIZATION-1", "of another kind"),
    entry(256, hostname(), "7", kind, "of seven"),
    entry(0xffff, "", "", kind, "of any"),
  ];
  const found = (content: Uint8Array, number: string) => {
    const cookie = cookieIn(content, number);
    return cookie === undefined ? undefined : Buffer.from(cookie).toString();
  };
  const whole = Buffer.concat(entries);
  assert.deepEqual([found(whole, "7"), found(whole, "8")], ["of seven", "of any"]);
  for (let size = 0; size < Buffer.concat(entries.slice(0, 4)).length; size++) {
    assert.equal(found(whole.subarray(0, size), "7"), undefined, `cut off after ${size} bytes`);
  }
  assert.equal(cookieFor("/nonexistent/Xauthority", "7"), undefined);
});

Deno.test("the authority file is XAUTHORITY, else the one in HOME", () => {
  assert.equal(authorityOf({ XAUTHORITY: "/x", HOME: "/home/a" }), "/x");
  assert.equal(authorityOf({ XAUTHORITY: "", HOME: "/home/a" }), "/home/a/.Xauthority");
  assert.equal(authorityOf({}), undefined);
});
