import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type Json } from "../../src/base/error.ts";
import { asMap, isList, isMap } from "../../src/base/json.ts";

/** A report without what must differ between two runs of the same: times, ids, folders, places of workers and desktops. */
const TIMES = new Set(["at", "began", "duration", "duration_ms", "takes", "took_ms"]);
const PLACES = new Set(["worker", "workers", "run", "folder", "state", "desktop"]);

/** Runs of a report are known by ids, which stand in texts too. */
const IDS = /\b\d{8}-\d{6}-[0-9a-z]{6}\b/g;

/** What stands in a text and must differ: ids, checksums, lengths of what is encrypted, durations. */
function textOf(text: string): string {
  return text.replaceAll(IDS, "RUN")
    // Where the project lies on the machine that did it.
    .replaceAll(/\/tmp\/bsc-\w+\/(work|state\/\w+\/fleet\/\w+\/projects\/[0-9a-f]{32})\//g, "PROJECT/")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "SUM")
    .replaceAll(/encrypted \(\d+ characters\)/g, "encrypted")
    .replaceAll(/\b(bytes|dropped|at) \d+/g, "$1 N")
    .replaceAll(/"(id|label)":(null|"[^"]*")/g, '"$1":X')
    .replaceAll(/("\w+_ms"): \d+/g, "$1: 0")
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, "TIME");
}

function normal(value: Json, key = ""): Json {
  if (typeof value === "number" && (TIMES.has(key) || key.endsWith("_ms"))) return 0;
  if (PLACES.has(key) && !isMap(value) && !isList(value)) return null;
  if (typeof value === "string") return textOf(value);
  if (isList(value)) return value.map((one) => normal(one, ""));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, normal(one, name)]));
}

/** What a report.html shows of each file, and its pictures by the hash of what is in them. */
export function htmlOf(
  file: string,
): { readonly files: ReadonlyMap<string, Json>; readonly pictures: readonly string[]; readonly notes: Json } {
  const text = readFileSync(file, "utf8");
  const data: Json = JSON.parse(
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(text)?.[1] ?? "null",
  );
  const { files = [], trees = [], notes = [] } = asMap(data);
  assert.ok(isList(files) && isList(trees));
  // Trees are numbered in the order in which files are written: each look gets its own.
  const withTrees = (value: Json, key = ""): Json => {
    if (key === "tree" && typeof value === "number") return trees[value] ?? null;
    if (isList(value)) return value.map((one) => withTrees(one));
    if (!isMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTrees(one, name)]));
  };
  return {
    files: new Map(files.map((one) => [String(asMap(one)["id"]), normal(withTrees(one))])),
    pictures: [...text.matchAll(/id="p-([0-9a-f]{20})">/g)].map(([, name = ""]) => name).sort(),
    notes,
  };
}

/** A junit.xml without times, folders and hosts. */
export function junitOf(file: string): string {
  return textOf(readFileSync(file, "utf8"))
    .replaceAll(/ (time|timestamp|hostname)="[^"]*"/g, "")
    .replaceAll(/<property name="run" value="[^"]*"\/>/g, '<property name="run"/>');
}

/** What a results.json says, the same. */
export function jsonOf(file: string): Json {
  const data: Json = JSON.parse(readFileSync(file, "utf8"));
  return normal(data);
}
