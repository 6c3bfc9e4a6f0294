import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

/** How the cookie is shown to the display. */
export const PROTOCOL = "MIT-MAGIC-COOKIE-1";
const COOKIE = 16;
/** XauFileEntry's FamilyWild: whatever the address and the number of the display, which is not known beforehand. */
const WILD = 0xffff;

/**
 * Writes a file with a new cookie that lets its reader into a display, in the format of Xauthority(5): big-endian
 * family, then address, display number, protocol and cookie, each behind its length in two bytes. Mode 0600.
 */
export function writeAuthority(file: string): void {
  const fields = [...["", "", PROTOCOL].map((text) => Buffer.from(text)), randomBytes(COOKIE)];
  const parts = fields.flatMap((field) => [word(field.length), field]);
  writeFileSync(file, Buffer.concat([word(WILD), ...parts]), { mode: 0o600, flag: "wx" });
}

/** The cookie of a file that `writeAuthority` wrote: its end. */
export function cookieOf(file: string): Uint8Array {
  return readFileSync(file).subarray(-COOKIE);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
