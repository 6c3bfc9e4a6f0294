import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
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

/** The application that shows a code otherwise, and the Python that runs it. */
export const WINDOW = fileURLToPath(new URL("fixtures/secrets/window.py", import.meta.url));
export const PYTHON = "/usr/bin/python3";
/** Words with an accent and letters that grow in upper case, and digits alone. */
export const SECRETS = ["Grüße-aus.Tübingen 7Q9X", "4711081599321"] as const;

/** What stands nowhere, and what only the encrypted images of a run may hold: an application made it of the secret. */
export function forbidden(secret: string): { readonly secret: Forbidden; readonly made: Forbidden } {
  const turned = [...secret].reverse().join("");
  return {
    secret: { "the secret": bare(secret) },
    made: {
      "the secret": bare(secret),
      "what was turned round": bare(turned),
      "its end": bare(`ends in ${secret.slice(-4)}`),
    },
  };
}

/** Reads everything that shows the secret, and writes over what shows it turned round. */
export const STEPS = `
  - set: { target: 'textfield[name="Code"]', value: '{{secrets.CODE}}' }
  - value: 'textfield[name="Code"]'
  - value: 'textfield[name="Copy"]'
  - attributes: 'textfield[name="Copy"]'
  - read_tree: {}
  - find: { target: 'label', all: true }
  - windows: {}
  - set: { target: 'textfield[name="Copy"]', value: 'mine' }
`;
export const FAILS = `
  - assert: { target: 'textfield[name="Code"]', value: 'something else', timeout: 0 }`;

/** The fixture's own account. */
export function receivedIn(folder: string): string[] {
  const file = join(folder, "received");
  return existsSync(file)
    ? readFileSync(file, "utf8").trimEnd().split("\n").map((line) => String(JSON.parse(line)))
    : [];
}
