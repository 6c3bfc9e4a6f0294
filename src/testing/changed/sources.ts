import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { toBackstepError } from "../../base/error.ts";
import { readBaselineName } from "../../contract/baseline-name.ts";
import type { Step, Template, Workflow } from "../../engine/model/step.ts";
import { BASELINES } from "../../operations/baseline-folder.ts";
import { loadYaml } from "../../script/load-file.ts";
import { isProgram } from "../../script/load-script.ts";
import { projectRoot } from "../../workflow/load.ts";
import type { FoundFile } from "../find-files.ts";

/** What a program takes from beside itself. */
const IMPORT = /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

/** Tells whether a file, or what it is made of, is among changed files: what it runs, its cases, and its baselines. */
export function isChanged({ file, path }: FoundFile, changed: ReadonlySet<string>): boolean {
  const baselines = [...changed].flatMap((one) => baselineIn(projectRoot(path), one) ?? []);
  if (isProgram(path)) {
    const sources = imported(realpathSync(path), new Map());
    return [...sources].some(([source, text]) =>
      changed.has(source) || baselines.some((name) => text.includes(name))
    );
  }
  const read = new Set<string>([realpathSync(path)]);
  try {
    const workflow = loadYaml(file, undefined, (source) => read.add(source));
    if ([...read].some((source) => changed.has(source))) return true;
    const used = baselines.length > 0 ? baselinesOf(workflow) : [];
    return used.some((name) => name === undefined || baselines.includes(name));
  } catch (thrown) {
    // Whether it is changed cannot be told, and the test run says what is wrong with it.
    if (toBackstepError(thrown).code === "workflow") return true;
    throw thrown;
  }
}

/**
 * The files of its project that a workflow file is made of: itself, what it runs or imports, its cases, and the baselines that
 * it compares with, in all of their variants. Absolute. Throws `workflow` for one that cannot be read.
 */
export function filesOf({ file, path }: FoundFile, root: string): string[] {
  const existing = baselineFiles(join(root, BASELINES));
  const named = (name: string) => existing.filter((one) => baselineIn(root, one) === name);
  if (isProgram(path)) {
    const sources = imported(realpathSync(path), new Map());
    const texts = [...sources.values()];
    const used = existing.filter((one) => texts.some((text) => text.includes(baselineIn(root, one) ?? "\0")));
    return [...sources.keys(), ...used];
  }
  const read = new Set<string>([realpathSync(path)]);
  const workflow = loadYaml(file, root, (source) => read.add(source));
  const names = baselinesOf(workflow);
  // One that only the run knows may be any of them.
  const used = names.includes(undefined) ? existing : names.flatMap((name) => named(name ?? ""));
  return [...new Set([...read, ...used])];
}

/** Every file below a folder; none where there is no such folder. */
function baselineFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort();
}

/** A program and what it imports from the project, with their texts. */
function imported(path: string, found: Map<string, string>): ReadonlyMap<string, string> {
  if (found.has(path)) return found;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return found; // the import fails when the file runs, and says so there
  }
  found.set(path, text);
  for (const [, reference = ""] of text.matchAll(IMPORT)) imported(resolve(dirname(path), reference), found);
  return found;
}

/** The name of a baseline whose file this is, without the keys of its variant; undefined: it is none of this project. */
function baselineIn(root: string, path: string): string | undefined {
  const below = relative(join(root, BASELINES), path).replaceAll(sep, "/");
  return below.startsWith("..") ? undefined : below.replace(/@[^/]*(?=\.\w+$)/, "");
}

/** The baselines that the steps of a file compare with; undefined for one that only the run knows. */
function baselinesOf(workflow: Workflow): (string | undefined)[] {
  const names: (string | undefined)[] = [];
  const seen = new Set<Workflow>();
  const ofInput = (input: Template) => {
    if (typeof input !== "object" || input?.kind !== "map") return;
    for (const [key, value] of input.entries) {
      if (key === "baseline") names.push(typeof value === "string" ? nameOf(value) : undefined);
    }
  };
  const ofStep = (step: Step): void => {
    switch (step.kind) {
      case "operation":
        ofInput(step.input);
        return step.undo?.steps.forEach(ofStep);
      case "if":
        return [...step.then, ...step.else].forEach(ofStep);
      case "run":
        return ofFile(step.workflow);
      case "savepoint":
      case "rollback_to":
      case "reject":
      case "undo":
        return;
      default:
        return step.steps.forEach(ofStep);
    }
  };
  const ofFile = (one: Workflow) => {
    if (seen.has(one)) return;
    seen.add(one);
    [...one.before, ...one.steps, ...one.after].forEach(ofStep);
  };
  ofFile(workflow);
  return names;
}

/** A picture that stands in the file itself has no name: what changes is the file. */
function nameOf(baseline: string): string {
  try {
    return readBaselineName(baseline).name;
  } catch {
    return ""; // no file below the folder of baselines
  }
}
