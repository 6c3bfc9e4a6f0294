import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

/** How the cookie is shown to the display. */
export const PROTOCOL = "MIT-MAGIC-COOKIE-1";
const COOKIE = 16;
/** XauFileEntry's FamilyWild: whatever the address and the number of the display, which is not known beforehand. */
const WILD = 0xffff;
/** Xauth.h's FamilyLocal: the address is the name of this machine. */
const LOCAL = 256;

/**
 * Writes a file with a new cookie that lets its reader into a display, in the format of Xauthority(5): big-endian
 * family, then address, display number, protocol and cookie, each behind its length in two bytes. Mode 0600.
 */
export function writeAuthority(file: string): void {
  const fields = [...["", "", PROTOCOL].map((text) => Buffer.from(text)), randomBytes(COOKIE)];
  const parts = fields.flatMap((field) => [word(field.length), field]);
  writeFileSync(file, Buffer.concat([word(WILD), ...parts]), { mode: 0o600, flag: "wx" });
}

/** The authority file of an environment: XAUTHORITY, else the one in HOME; undefined: neither is set. */
export function authorityOf(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XAUTHORITY: file, HOME: home } = environment;
  return file || (home ? `${home}/.Xauthority` : undefined);
}

/**
 * The cookie of a file for a display of this machine, chosen as libXau does: the first entry whose address and number
 * fit. Undefined: it has none, or there is no file; a display may let in who has none. Throws when the file cannot be
 * read.
 */
export function cookieFor(file: string, number: string): Uint8Array | undefined {
  try {
    return cookieIn(readFileSync(file), number);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** As `cookieFor`, from the content of a file. */
export function cookieIn(content: Uint8Array, number: string): Uint8Array | undefined {
  const bytes = Buffer.from(content), here = hostname();
  for (let at = 0; at + 2 <= bytes.length;) {
    const family = bytes.readUInt16BE(at);
    at += 2;
    const fields: Buffer[] = [];
    while (fields.length < 4) {
      // What is cut off is no entry.
      if (at + 2 > bytes.length) return undefined;
      const length = bytes.readUInt16BE(at);
      if (at + 2 + length > bytes.length) return undefined;
      fields.push(bytes.subarray(at + 2, at += 2 + length));
    }
    const [address = "", its = "", protocol = ""] = fields.map((field) => field.toString("latin1"));
    const fits = family === WILD || (family === LOCAL && address === here);
    if (fits && (its === "" || its === number) && protocol === PROTOCOL) return fields[3];
  }
  return undefined;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
