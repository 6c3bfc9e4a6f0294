import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

/**
 * The judge of what is shown, which shares nothing with the mask: letters and digits alone, taken apart, without marks and
 * case.
 */
export function bare(text: string): string {
  return text.normalize("NFKD").toUpperCase().normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** A text as it is, and as it reads once what it is written in is undone: escapes, entities, percents, base64, zlib. */
export function* readings(bytes: Uint8Array, depth = 0): Generator<string> {
  const text = new TextDecoder().decode(bytes);
  yield text;
  yield unescaped(text);
  if (depth > 3) return;
  for (const inflate of [gunzipSync, inflateSync, inflateRawSync]) {
    const out = attempt(() => inflate(bytes));
    if (out) yield* readings(out, depth + 1);
  }
  for (const [found] of text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)) {
    const decoded = Buffer.from(found, /[_-]/.test(found) ? "base64url" : "base64");
    if (decoded.length < 4_000_000) yield* readings(decoded, depth + 1);
  }
}

function unescaped(text: string): string {
  const once = (one: string) =>
    one.replace(/\\u\{?([0-9a-f]{1,6})\}?/gi, (all, hex) => point(parseInt(hex, 16), all))
      .replace(/\\[nrt]/g, " ").replace(/\\(.)/g, "$1")
      .replace(/&#x([0-9a-f]+);/gi, (all, hex) => point(parseInt(hex, 16), all))
      .replace(/&#(\d+);/g, (all, ten) => point(Number(ten), all))
      .replace(/(?:%[0-9a-f]{2})+/gi, (all) => attempt(() => decodeURIComponent(all)) ?? all);
  return once(once(text));
}

function point(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

function attempt<T>(deed: () => T): T | undefined {
  try {
    return deed();
  } catch {
    return undefined; // it is not written in that
  }
}

/** What must stand nowhere: by name, bare. */
export type Forbidden = Readonly<Record<string, string>>;

/** Fails where one of them stands, however it is written. */
export function assertNowhere(what: string, bytes: Uint8Array | string, forbidden: Forbidden): void {
  for (const reading of readings(typeof bytes === "string" ? Buffer.from(bytes) : bytes)) {
    const letters = bare(reading);
    for (const [name, value] of Object.entries(forbidden)) {
      const at = letters.indexOf(value);
      assert.ok(at < 0, `${name} stands in ${what}: …${letters.slice(Math.max(0, at - 60), at + 60)}…`);
    }
  }
}

/** The same of every file below a folder. */
export function assertNowhereBelow(folder: string, forbidden: Forbidden): number {
  let files = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, name);
    if (!statSync(file).isFile()) continue;
    files++;
    assertNowhere(name, readFileSync(file), forbidden);
  }
  return files;
}
