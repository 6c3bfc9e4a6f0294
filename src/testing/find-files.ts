import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { BackstepError } from "../base/error.ts";
import { isProgram } from "../script/load-script.ts";

/** A workflow file that was found. */
export interface FoundFile {
  /** As it is shown and opened: relative to the folder one is in where it lies below that, with "/". */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
}

/** A file's name that a folder is not searched for: helpers, tests, types. */
const PASSED_OVER = /^[._]|_test\.[cm]?[jt]sx?$|\.test\.[cm]?[jt]sx?$|\.d\.[cm]?ts$/;
/** A program of a folder is a workflow when something is its default. */
const HAS_DEFAULT = /^export\s+(default\b|\{[^}]*\bas\s+default\b)/m;

/**
 * The workflow files of some paths, each once, by path. Folders are searched through: `*.yaml`, `*.yml` and programs that have a
 * default export, but for what begins with "." or "_" and `node_modules`. A file that is named is taken as it is.
 *
 * Throws `usage` for a path that is not there, and where nothing is found unless that may be.
 */
export function findFiles(
  paths: readonly string[],
  folder: string,
  { mayBeNone = false }: { readonly mayBeNone?: boolean } = {},
): FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const given of paths) {
    const path = resolve(folder, given);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) {
      throw new BackstepError("usage", `Cannot test ${given}: there is no such file or folder`, {
        hint: "Give workflow files, or folders that contain some.",
      });
    }
    const files = stat.isDirectory() ? within(path) : [path];
    for (const one of files) found.set(one, { file: shown(one, folder), path: one });
  }
  if (found.size === 0 && !mayBeNone) {
    throw new BackstepError("usage", `Cannot test ${paths.join(", ")}: there is no workflow file`, {
      hint:
        "Workflows are *.yaml, *.yml, and programs with `export default workflow(…)`; names that begin with " +
        '"_" or "." are passed over.',
    });
  }
  return [...found.values()].sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : 0);
}

function within(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry;
    const path = join(folder, name);
    if (PASSED_OVER.test(name) || name === "node_modules") return [];
    // A link to a folder is not followed: it may lead round in a circle.
    if (entry.isDirectory()) return within(path);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
    // A stored tree is no workflow.
    if (/\.ya?ml$/.test(name)) return name.endsWith(".tree.yaml") ? [] : [path];
    return isProgram(name) && HAS_DEFAULT.test(readFileSync(path, "utf8")) ? [path] : [];
  });
}

function shown(path: string, folder: string): string {
  const below = relative(folder, path);
  return (below.startsWith(`..${sep}`) ? path : below).replaceAll(sep, "/");
}
