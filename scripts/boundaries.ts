/**
 * Holds the boundaries of the code: which package may import which, and which part of a large one; that no files import each
 * other in a circle, and no files of the native core call each other in one; that only `src/ffi/` opens a library, that only
 * adapters know Deno, that only the gate runs an action, and that nothing but an interface writes to the terminal.
 *
 * Run by `deno task ok`; prints each fault with its place and exits 1. Its last line counts files and circles.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { circlesOf } from "./boundaries/circles.ts";
import { misplacedIn } from "./boundaries/forbidden.ts";
import { type Import, importsOf } from "./boundaries/imports.ts";
import { isTest, layerFaults, missingLayers } from "./boundaries/layers.ts";
import { nativeCore } from "./boundaries/native.ts";

const root = resolve(import.meta.dirname ?? ".", "..");

/** Every TypeScript file below a folder, named from the root. */
function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

/** The faults of one file, as `file:line: what`. */
function faultsOf(file: string, text: string, imports: readonly Import[]): string[] {
  const faults = layerFaults(file, imports);
  if (isTest(file)) return faults;
  for (const { to, written, line } of imports) {
    if (!to.startsWith("src/")) faults.push(`${file}:${line}: imports ${written} from outside src/`);
  }
  for (const { line, text: found, why } of misplacedIn(file, text)) {
    faults.push(`${file}:${line}: ${found}: ${why}`);
  }
  return faults;
}

const files = sources("src");
const faults = missingLayers(files);
const graph = new Map<string, readonly string[]>();
for (const file of files) {
  const text = readFileSync(join(root, file), "utf8");
  const imports = importsOf(file, text);
  graph.set(file, imports.map(({ to }) => to));
  faults.push(...faultsOf(file, text, imports));
}
const circles = circlesOf(graph);
for (const circle of circles) {
  const [first = ""] = circle;
  faults.push(`${first}:1: imports itself in a circle: ${[...circle, first].join(" -> ")}`);
}
const core = nativeCore(join(root, "native"));
faults.push(...core.faults);
for (const fault of faults) console.error(fault);
console.log(`boundaries: ${files.length} files, ${circles.length} circles; ${core.files} files of C`);
if (faults.length > 0) process.exitCode = 1;
