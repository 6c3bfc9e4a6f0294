import { basename } from "node:path";
import type { Import } from "./imports.ts";

/** The files of a folder that lie in none of its own folders and have no layer by name. */
const FILES = ".";

/**
 * The layers of a folder, from the lowest up: a layer imports those below it alone, and what stands in one line does not
 * import each other.
 */
export type Layers = readonly (readonly string[])[];

/** By folder: each package of `src/`, and what is inside of the large ones. */
export const LAYERS: ReadonlyMap<string, Layers> = new Map<string, Layers>([
  ["src", [
    ["base"],
    ["ffi", "x11"],
    ["wm"],
    ["desktop"],
    ["session"],
    ["contract", "policy"],
    ["participants", "checks", "intelligence", "vision"],
    ["operations", "tools"],
    ["engine"],
    ["workflow"],
    ["heal", "record"],
    ["report"],
    ["catalogue.ts"],
    ["script"],
    ["inspect"],
    ["testing"],
    ["mcp", "fleet"],
    ["cli"],
  ]],
  ["src/desktop", [
    [FILES], // the model: the desktop's interface, snapshots, elements, roles and states
    ["selector", "actions", "native", "simulated"],
    ["locator", "ranking"],
  ]],
  ["src/engine", [
    ["model"],
    ["journal"],
    ["secrets"],
    ["evidence"],
    ["rollback", "plan"],
    ["run"],
    ["recovery", "interactive"],
  ]],
  ["src/fleet", [
    ["database", "schema", "embedded"],
    ["queue", "jobs"],
    ["evidence"],
    [FILES], // opening, submitting, stopping
    ["items", "report"],
    ["worker", "watch"],
  ]],
  ["src/mcp", [
    ["server", "transport"],
    ["sampling", "elicitation"],
    ["session", "security"],
    ["resources"],
    ["tools", "prompts"],
    ["make-host.ts", "conformance", "sdk"],
  ]],
  ["src/mcp/resources", [
    ["axterminator"], // what is read
    ["macos", "subscriptions"],
    ["recording", "wm"],
    [FILES], // what is offered
  ]],
]);

/** Tests and their fixtures may import anything: a fixture's name begins with "_". */
export function isTest(file: string): boolean {
  return file.endsWith("_test.ts") || basename(file).startsWith("_");
}

/** The layer that a file belongs to within a folder, and how high it is; undefined: it lies elsewhere. */
function placeIn(folder: string, layers: Layers, file: string): { name: string; height: number } | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  const [first = "", ...deeper] = file.slice(folder.length + 1).split("/");
  const height = (name: string) => layers.findIndex((line) => line.includes(name));
  const name = deeper.length === 0 && height(first) < 0 ? FILES : first;
  return { name, height: height(name) };
}

/** What is wrong with the imports of a file by the layers, as `file:line: what`. Files are named from the root. */
export function layerFaults(file: string, imports: readonly Import[]): string[] {
  const faults: string[] = [];
  for (const [folder, layers] of LAYERS) {
    const here = placeIn(folder, layers, file);
    if (here === undefined) continue;
    if (here.height < 0) {
      const what = here.name === FILES ? "the file" : `"${here.name}"`;
      faults.push(`${file}:1: ${what} has no layer in ${folder}/; add it to scripts/boundaries/layers.ts`);
      continue;
    }
    if (isTest(file)) continue;
    for (const { to, line } of imports) {
      const there = placeIn(folder, layers, to);
      if (there === undefined || there.name === here.name || there.height < here.height) continue;
      const layer = ({ name }: { name: string }) =>
        name === FILES ? `the files of ${folder}/` : `${folder}/${name}`;
      faults.push(`${file}:${line}: ${layer(here)} may not import ${layer(there)}: imports run downwards`);
    }
  }
  return faults;
}

/** The layers that no file belongs to: they are listed and do not exist. */
export function missingLayers(files: readonly string[]): string[] {
  return [...LAYERS].flatMap(([folder, layers]) => {
    const existing = new Set(files.map((file) => placeIn(folder, layers, file)?.name));
    return layers.flat().filter((name) => !existing.has(name)).map((name) =>
      `scripts/boundaries/layers.ts:1: ${folder}/ has no "${name}"`
    );
  });
}
