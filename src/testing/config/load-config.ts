import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BackstepError, type Json, type Place } from "../../base/error.ts";
import { toJson } from "../../base/json.ts";
import { isProgram } from "../../script/load-script.ts";
import { Faults } from "../../workflow/diagnostics.ts";
import { readDocument } from "../../workflow/document.ts";
import { readValue, writtenAs } from "../../workflow/inputs.ts";
import { follow, fromJson, type Node } from "../../workflow/node.ts";
import { didYouMean } from "../../workflow/suggest.ts";
import { type Config, ConfigSchema } from "./config.ts";

/** Its names, the first one there is. */
export const CONFIG_FILES = [
  "backstep.config.yaml",
  "backstep.config.yml",
  "backstep.config.ts",
  "backstep.config.js",
];
/** A search upward ends at the root of a repository. */
const TOP = ".git";

/** The settings of a test run, and where they stand. */
export interface LoadedConfig {
  /** As it is shown: relative to the folder one is in. */
  readonly file: string;
  /** What its paths are relative to. Absolute. */
  readonly folder: string;
  readonly config: Config;
  /** Where the value at a path stands: ["projects", 0, "desktop"]. */
  placeOf(path: readonly (string | number)[]): Place;
}

/** The configuration of the nearest folder, from `folder` up to that of the repository; undefined: there is none. */
export function findConfig(folder: string): string | undefined {
  for (let at = resolve(folder);;) {
    const found = CONFIG_FILES.map((name) => join(at, name)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    const parent = dirname(at);
    if (parent === at || existsSync(join(at, TOP))) return undefined;
    at = parent;
  }
}

/**
 * Reads a configuration. A program's code runs by that, and its default export is the same map; what is wrong in it has the place
 * of its first line. Throws `usage` for a file that is not there, and `workflow` with the place of the first fault.
 */
export async function loadConfig(path: string, folder: string): Promise<LoadedConfig> {
  const file = relative(folder, path) || path;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new BackstepError("usage", `Cannot read the configuration ${file}: there is no such file`, {
      hint: `It is called ${CONFIG_FILES[0]}.`,
    });
  }
  const faults = new Faults();
  const node = isProgram(path)
    ? fromJson(await exported(path, file), () => ({ file, line: 1, column: 1 }))
    : readDocument(readFileSync(path), file, faults, "Write `paths: [workflows]`, for example.");
  const config = node && readValue(writtenAs(node, node.place), ConfigSchema, "config", { faults });
  if (node && config) checkProjects(config, node, faults);
  faults.throwIfAny(file);
  if (!node || !config) throw new BackstepError("internal", `Cannot read ${file}: no fault was noted`);
  return { file, folder: dirname(path), config, placeOf: (at) => follow(node, at).node.place };
}

async function exported(path: string, file: string): Promise<Json> {
  const fail = (why: string, cause?: unknown) =>
    new BackstepError("workflow", `Cannot read ${file}: ${why}`, {
      place: { file, line: 1, column: 1 },
      hint: 'Its default export is a map: `export default { paths: ["workflows"] };`',
      cause,
    });
  let found: unknown;
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(path).href);
    found = module.default;
  } catch (cause) {
    throw fail(cause instanceof Error ? cause.message.slice(0, 1_000) : String(cause), cause);
  }
  if (typeof found !== "object" || found === null) throw fail("its default export is no map");
  return toJson(found);
}

/** What a schema cannot say: names are unique, and dependencies are there and lead in no circle. */
function checkProjects({ projects = [] }: Config, node: Node, faults: Faults): void {
  const place = (...path: (string | number)[]) => follow(node, ["projects", ...path]).node.place;
  const names = projects.map(({ name }) => name);
  for (const [index, { name, dependencies = [] }] of projects.entries()) {
    if (names.indexOf(name) !== index) {
      faults.add(place(index, "name"), `there is a project ${JSON.stringify(name)} already`, "Rename one.");
    }
    for (const [at, one] of dependencies.entries()) {
      if (names.includes(one)) continue;
      faults.add(
        place(index, "dependencies", at),
        `there is no project ${JSON.stringify(one)}`,
        didYouMean(one, names, "There are"),
      );
    }
    const circle = circleFrom(name, projects);
    if (circle) {
      faults.add(place(index, "dependencies"), `projects depend on each other: ${circle.join(" → ")}`);
    }
  }
}

/** The way from a project back to itself. */
function circleFrom(name: string, projects: NonNullable<Config["projects"]>): string[] | undefined {
  const seen = new Set<string>();
  const walk = (at: string, way: readonly string[]): string[] | undefined => {
    for (const next of projects.find((one) => one.name === at)?.dependencies ?? []) {
      if (next === name) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...way, next]);
      if (found) return found;
    }
    return undefined;
  };
  return walk(name, [name]);
}
