import { resolve } from "node:path";
import process from "node:process";
import { closest } from "../base/closest.ts";
import { BackstepError, type Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { catalogue } from "../catalogue.ts";
import type { Operation } from "../contract/operation.ts";
import { readSelector, strategies } from "../desktop/selector/mod.ts";
import type { Program } from "../engine/run/program.ts";
import type { Surroundings } from "../engine/model/scope.ts";
import type { Case, Workflow } from "../engine/model/step.ts";
import { readSource } from "../record/read-source.ts";
import { isToolWorkflow, loadToolWorkflow } from "../workflow/tool-workflow.ts";
import { loadWorkflow, projectRoot, readVariablesFile } from "../workflow/load.ts";
import { type AskSecret, secretValues } from "../workflow/secret-values.ts";
import { resolveVariables } from "../workflow/values.ts";
import { isProgram, loadScript } from "./load-script.ts";
import { programOf } from "./program.ts";

/** What is said of a file beside its path. */
export interface LoadFileOptions {
  /** What it is for, in messages: "run", "plan", "test". */
  readonly doing: string;
  /** The folder that its files must lie in; default: its project's. */
  readonly root?: string | undefined;
  /** Default application, instead of the file's. */
  readonly app?: string | undefined;
  /** Values of its variables, as text. */
  readonly vars?: Readonly<Record<string, string>>;
  /** A YAML or JSON file of variables. */
  readonly varsFile?: string | undefined;
  /** Values of its variables that hold unless others are given: those of an earlier run. */
  readonly given?: Readonly<Record<string, Json>>;
  /** The work item that the run is for, by field; default: none. */
  readonly item?: Readonly<Record<string, Json>> | undefined;
  /** The name of the one of its `cases:` that is meant; default: none. */
  readonly case?: string | undefined;
  /** The arguments of `ax_workflow`, as JSON, are taken too, and fail as the tool does. Default: a file is a workflow file. */
  readonly toolWorkflows?: boolean;
  /** Told the true path of each file that it is made of, beside the program itself. */
  readonly reads?: (path: string) => void;
  /** Of a program: which reading of it this is, so that it is imported anew; default: as it was imported before. */
  readonly reading?: number;
  /** Asks a person for a secret; without it one that is asked for is refused. */
  readonly ask?: AskSecret | undefined;
}

/** A workflow file with everything that a run or a plan of it is given. */
export interface ReadyFile {
  readonly workflow: Workflow;
  /** What makes its steps, of a file that is a program. */
  readonly program: Program | undefined;
  readonly operations: readonly Operation[];
  readonly vars: { readonly [name: string]: Json };
  readonly surroundings: Surroundings;
  /** The project's folder. */
  readonly folder: string;
}

const checkSelector = (text: string, strategy?: string) => {
  readSelector(text, strategies.find((s) => s === strategy));
};

/** Reads a file with the arguments of `ax_workflow`; undefined: it is none. */
function loadCalls(file: string): Workflow | undefined {
  const bytes = readSource(file);
  return isToolWorkflow(bytes)
    ? loadToolWorkflow(bytes, { file, operations: catalogue, checkSelector })
    : undefined;
}

/**
 * Reads a workflow file as YAML; the code of a program is not run by it. `reads` is told the true path of each file that it is made
 * of. Throws `workflow`.
 */
export function loadYaml(
  file: string,
  root = projectRoot(resolve(file)),
  reads?: (path: string) => void,
): Workflow {
  return loadWorkflow(file, { operations: catalogue, root, checkSelector, ...defined({ reads }) });
}

/**
 * Reads a workflow file, YAML or a program, whose own code runs by that. What is wrong with it, with its variables or its
 * secrets is told before any desktop is opened: `workflow` or `usage`.
 */
export async function loadFile(file: string, options: LoadFileOptions): Promise<ReadyFile> {
  const { doing, vars, varsFile } = options;
  const operations = catalogue;
  const folder = options.root ?? projectRoot(resolve(file));
  const found = isProgram(file) ? await loadScript(file, options.reading) : undefined;
  const loaded = found?.workflow ?? (options.toolWorkflows ? loadCalls(file) : undefined) ??
    loadYaml(file, folder, options.reads);
  const app = options.app ?? loaded.app;
  const workflow = app === undefined ? loaded : { ...loaded, app };
  const read = varsFile === undefined ? {} : readVariablesFile(varsFile);
  const chosen = options.case === undefined ? {} : caseNamed(workflow, options.case, doing).values;
  const values = resolveVariables(workflow, {
    ...defined({ vars }),
    file: { ...options.given, ...read, ...chosen },
  });
  const environment = (name: string) => process.env[name];
  const secret = await secretValues(workflow, { env: environment, ask: options.ask, doing });
  const surroundings = { ...defined({ item: options.item }), env: environment, secret };
  return {
    workflow,
    program: found && programOf(found.script, { file, operations, surroundings }),
    operations,
    vars: values,
    surroundings,
    folder,
  };
}

function caseNamed({ file, cases = [] }: Workflow, name: string, doing: string): Case {
  const found = cases.find((one) => one.name === name);
  if (found) return found;
  const names = cases.map((one) => one.name);
  const near = closest(name, names);
  throw new BackstepError("usage", `Cannot ${doing} ${file}: it has no case ${JSON.stringify(name)}`, {
    hint: names.length === 0
      ? "It has no `cases:`."
      : `${near.length > 0 ? "Did you mean" : "There are"}: ${
        (near.length > 0 ? near : names).slice(0, 10).join("; ")
      }`,
  });
}
