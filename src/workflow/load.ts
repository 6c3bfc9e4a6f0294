import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { BackstepError, type Json, type Place } from "../base/error.ts";
import { OUTSIDE, readWithin } from "../base/within.ts";
import { defined } from "../base/defined.ts";
import type { Operation } from "../contract/operation.ts";
import type { Workflow } from "../engine/model/step.ts";
import { readDocument } from "./document.ts";
import { Faults } from "./diagnostics.ts";
import { toJson } from "./node.ts";
import { parseWorkflow } from "./parse.ts";
import { MOST_BYTES, type SelectorCheck, type Source } from "./reading.ts";
import { didYouMean } from "./suggest.ts";

/** What `loadWorkflow` needs beside the path. */
export interface LoadOptions {
  /** The catalogue: what a step can call. */
  readonly operations: Iterable<Operation>;
  /** The project's folder, which `run:` cannot leave; default: `projectRoot` of the file. */
  readonly root?: string;
  /** Parses selectors, so that their faults are found before the run. */
  readonly checkSelector?: SelectorCheck;
  /** Told the true path of each file that is read: the workflow, those that it runs, and files of cases. */
  readonly reads?: (path: string) => void;
}

/** What marks the folder of a project. */
const MARKS = ["backstep.toml", ".git", "deno.json"];

/**
 * The folder that a workflow's `run:` is confined to: the nearest one upward from the file that has a `backstep.toml`,
 * a `.git` or a `deno.json`; else the file's own.
 */
export function projectRoot(file: string): string {
  const own = dirname(resolve(file));
  for (let folder = own;;) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
    const parent = dirname(folder);
    if (parent === folder) return own;
    folder = parent;
  }
}

/**
 * Reads a workflow file and the files it runs. Symbolic links are followed before a path is judged.
 *
 * @throws {BackstepError} `workflow` with the place of the first diagnostic and all of them in `details.faults`; a file that
 * cannot be read is one too. `usage` for a program, or a project folder that cannot be read.
 */
export function loadWorkflow(path: string, options: LoadOptions): Workflow {
  if (PROGRAM.test(path)) throw program(path);
  const main = readSource(path, path);
  options.reads?.(main.key);
  let root: string;
  try {
    root = realpathSync(options.root ?? projectRoot(main.key));
  } catch (error) {
    throw new BackstepError("usage", `Cannot use the project folder ${options.root}: it cannot be read`, {
      cause: error,
    });
  }
  return parseWorkflow(main.bytes, {
    file: main.file,
    key: main.key,
    folder: main.folder,
    operations: options.operations,
    load: (reference, folder) => {
      const target = resolve(folder, reference);
      if (PROGRAM.test(target)) throw program(besides(path, main.folder, target));
      const source = readSource(target, besides(path, main.folder, target), root);
      options.reads?.(source.key);
      return source;
    },
    ...defined({ checkSelector: options.checkSelector }),
  });
}

/**
 * Reads a `--vars-file`: a YAML or JSON map of values.
 *
 * Throws `workflow` with the place of the first fault.
 */
export function readVariablesFile(path: string): { [name: string]: Json } {
  const { bytes, file } = readSource(path, path);
  const faults = new Faults();
  const node = readDocument(bytes, file, faults);
  if (node && node.kind !== "map") {
    faults.add(node.place, "a file of variables is a map", "Write `name: value` lines.");
  }
  faults.throwIfAny(file);
  if (node?.kind !== "map") throw new BackstepError("internal", `Cannot read ${file}: no fault was noted`);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, toJson(value)] as const));
}

/** What `backstep run` imports instead of reading it. */
const PROGRAM = /\.[cm]?[jt]s$/;

function program(file: string): BackstepError {
  return fault(
    file,
    "it is a program, whose steps are known only when it makes them",
    "`backstep run` and `backstep plan` take it; a file cannot run it, and it cannot be resumed in the middle.",
  );
}

/** How messages name a file that is run: beside the main file, as that was named on the command line. */
function besides(main: string, mainFolder: string, target: string): string {
  return join(dirname(main), relative(mainFolder, target));
}

/** Reads a file; with `root` only one that lies in there, whatever links are swapped meanwhile. */
function readSource(path: string, file: string, root = "/"): Source {
  try {
    const { path: key, bytes } = readWithin(path, [root], (found) => {
      // A pipe or a device would never end.
      if (!found.isFile()) {
        throw fault(file, "it is no ordinary file", found.isDirectory() ? inside(path) : undefined);
      }
      if (found.size > MOST_BYTES) throw fault(file, `it is larger than ${MOST_BYTES} bytes`);
    });
    return { file, key, folder: dirname(key), bytes };
  } catch (error) {
    if (error instanceof BackstepError) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    switch (code) {
      case OUTSIDE:
        throw fault(
          file,
          "it lies outside the project",
          `The project is ${root}; --root names another.`,
          error,
        );
      case "ENOENT":
      case "ENOTDIR":
        throw fault(file, "there is no such file", neighbours(path), error);
      case "EACCES":
      case "EPERM":
        throw fault(file, "it may not be read", "Check its permissions.", error);
      case "ELOOP":
        throw fault(file, "its symbolic links go in a circle", undefined, error);
      default:
        throw fault(file, error instanceof Error ? error.message : String(error), undefined, error);
    }
  }
}

function neighbours(path: string): string | undefined {
  const folder = dirname(resolve(path));
  // With the separator at its end only a folder exists.
  if (!existsSync(folder + sep)) return `There is no folder ${folder}.`;
  const dangling = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (dangling) return "The symbolic link points nowhere.";
  return didYouMean(basename(path), yamlIn(folder), "There");
}

function inside(folder: string): string | undefined {
  const files = yamlIn(folder);
  return files.length > 0 ? `It holds ${files.slice(0, 10).join(", ")}.` : undefined;
}

function yamlIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  } catch {
    return []; // a folder that may not be listed has nothing to suggest
  }
}

function fault(file: string, why: string, hint?: string, cause?: unknown): BackstepError {
  const place: Place = { file, line: 1, column: 1 };
  return new BackstepError("workflow", `Cannot read ${file}: ${why}`, {
    place,
    ...defined({ hint, cause }),
  });
}
