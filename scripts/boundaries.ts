/**
 * Holds the floors of the house: which room may import which, that only `src/ffi/` opens a library, that only the gate
 * calls a deed, and that nothing but a face writes to the terminal.
 *
 * Run by `deno task ok`; prints each fault with its place and exits 1.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import process from "node:process";

/** Rooms from the lowest up; those of one line stand side by side and do not import each other. */
const FLOORS: readonly (readonly string[])[] = [
  ["base"],
  ["ffi", "wm"],
  ["desktop"],
  ["session"],
  ["contract", "policy"],
  ["participants", "checks", "intelligence", "vision"],
  ["operations"],
  ["engine"],
  ["workflow"],
  ["record", "report"],
  ["catalogue.ts"],
  ["script"],
  ["testing"],
  ["mcp"],
  ["cli"],
];

const root = resolve(import.meta.dirname ?? ".", "..");
const floorOf = new Map(
  FLOORS.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)),
);

function roomOf(file: string): string {
  return relative(join(root, "src"), file).split("/")[0] ?? "";
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

/** The faults of one file, as `file:line: what`. */
export function faultsOf(file: string, text: string): string[] {
  const faults: string[] = [];
  const room = roomOf(file);
  const floor = floorOf.get(room);
  const at = (index: number) => `${relative(root, file)}:${text.slice(0, index).split("\n").length}`;
  if (floor === undefined) {
    faults.push(
      `${at(0)}: room "${room}" has no floor; add it to scripts/boundaries.ts`,
    );
  }
  // A name that begins with "_" is a helper of tests.
  const test = file.endsWith("_test.ts") || basename(file).startsWith("_");
  for (const match of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
    const to = resolve(dirname(file), match[1] ?? "");
    const other = roomOf(to);
    const otherFloor = floorOf.get(other);
    if (!to.startsWith(join(root, "src") + "/")) {
      if (!test) {
        faults.push(
          `${at(match.index)}: imports ${match[1]} from outside src/`,
        );
      }
    } else if (
      other !== room && floor !== undefined && otherFloor !== undefined &&
      otherFloor >= floor && !test
    ) {
      faults.push(
        `${at(match.index)}: room ${room} may not import room ${other}: imports run downwards`,
      );
    }
  }
  const forbidden: readonly [RegExp, readonly string[], string][] = [
    [
      /\bDeno\.(dlopen|UnsafePointer)\b/g,
      ["ffi"],
      "only src/ffi/ opens a library",
    ],
    [
      // HTTP is served by Deno.serve alone, in one file that says so on other runtimes.
      file.endsWith("/mcp/sdk/http-listen.ts")
        ? /\bDeno\.(?!serve\b)\w+/g
        : /\bDeno\.(?!test\b|dlopen\b|UnsafePointer)\w+/g,
      ["ffi"],
      "shared code uses node: built-ins, not Deno",
    ],
    [/\bconsole\.\w+\(/g, ["cli"], "only a face writes to the terminal"],
    [
      /\bprocess\.(stdout|stderr)\b/g,
      ["cli", "mcp"],
      "only a face writes to the terminal",
    ],
    [/resolved\.act\(/g, ["contract"], "only the gate calls a deed"],
  ];
  for (const [pattern, rooms, why] of forbidden) {
    if (rooms.includes(room) || test) continue;
    for (const match of text.matchAll(pattern)) {
      const line = text.slice(
        text.lastIndexOf("\n", match.index) + 1,
        match.index,
      );
      if (/^\s*(\/?\*|\/\/)/.test(line)) continue;
      faults.push(`${at(match.index)}: ${match[0]}: ${why}`);
    }
  }
  return faults;
}

if (import.meta.main) {
  const faults = sources(join(root, "src")).flatMap((file) => faultsOf(file, readFileSync(file, "utf8")));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
}
