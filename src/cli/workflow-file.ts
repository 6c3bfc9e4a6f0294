import { statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import type { Json } from "../base/error.ts";
import type { Operation } from "../contract/operation.ts";
import type { Program } from "../engine/program.ts";
import type { Surroundings } from "../engine/scope.ts";
import type { Workflow } from "../engine/step.ts";
import { usage } from "./arguments.ts";
import { type Arguments, type Command, ON_A_DESKTOP, type OptionSpec } from "./command.ts";

/** Options of every subcommand that takes a workflow file. */
export const ON_A_WORKFLOW: readonly OptionSpec[] = [
  ...ON_A_DESKTOP,
  {
    name: "app",
    kind: "string",
    value: "<name>",
    description: "Default application, instead of the file's `app:`",
  },
  {
    name: "var",
    kind: "string",
    value: "<k=v>",
    multiple: true,
    description: "Set a variable; may be repeated",
  },
  { name: "vars-file", kind: "string", value: "<file>", description: "Variables from a YAML or JSON file" },
  {
    name: "root",
    kind: "string",
    value: "<folder>",
    description: "Folder that files of the workflow must lie in",
  },
];

/** A workflow file with everything that a run or a plan of it is given. */
export interface LoadedFile {
  readonly workflow: Workflow;
  /** What makes its steps, of a file that is a program. */
  readonly program: Program | undefined;
  readonly operations: readonly Operation[];
  readonly vars: { readonly [name: string]: Json };
  readonly surroundings: Surroundings;
  /** The project's folder. */
  readonly folder: string;
  /** The desktop that is meant: `--session`, else the file's, else a private one. */
  readonly session: string;
  readonly mode: string | undefined;
}

/** Reads the file that a command line names. What is wrong with it is told before any desktop is opened. */
export async function loadFile(command: Command, args: Arguments): Promise<LoadedFile> {
  const file = args.positionals[0] ?? "";
  const { catalogue: operations } = await import("../catalogue.ts");
  const { loadWorkflow, projectRoot, readVariablesFile } = await import("../workflow/load.ts");
  const { resolveVariables } = await import("../workflow/values.ts");
  const { readSelector, strategies } = await import("../desktop/selector/mod.ts");
  const given = args.string("root");
  const folder = given === undefined ? projectRoot(resolve(file)) : folderOf(command, "root", given);
  const checkSelector = (text: string, strategy?: string) => {
    readSelector(text, strategies.find((s) => s === strategy));
  };
  const { isProgram, loadScript } = await import("../script/load-script.ts");
  const found = isProgram(file) ? await loadScript(file) : undefined;
  const loaded = found?.workflow ?? loadWorkflow(file, { operations, root: folder, checkSelector });
  const app = args.string("app") ?? loaded.app;
  const workflow = app === undefined ? loaded : { ...loaded, app };
  const variables = args.string("vars-file");
  const vars = resolveVariables(workflow, {
    vars: pairs(command, args.strings("var")),
    ...(variables === undefined ? {} : { file: readVariablesFile(variables) }),
  });
  const environment = (name: string) => process.env[name];
  const { secretValues } = await import("../workflow/secret-values.ts");
  const { askSecret } = await import("./ask-secret.ts");
  const secret = await secretValues(workflow, { env: environment, ask: askSecret() });
  const surroundings = { env: environment, secret };
  const { programOf } = await import("../script/program.ts");
  return {
    workflow,
    program: found && programOf(found.script, { file, operations, surroundings }),
    operations,
    vars,
    surroundings,
    folder,
    session: args.string("session") ?? workflow.session ?? "isolated",
    mode: args.string("mode") ?? workflow.mode,
  };
}

/** Is it a desktop that is made for this command, and goes with it? */
export function isOwn(session: string): boolean {
  return session === "isolated" || session === "simulated";
}

function folderOf(command: Command, option: string, path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return resolve(path);
  throw usage(command, `--${option} names no folder: ${path}`);
}

function pairs(command: Command, given: readonly string[]): Record<string, string> {
  const vars: Record<string, string> = {};
  for (const pair of given) {
    const at = pair.indexOf("=");
    if (at < 1) throw usage(command, `--var takes name=value, not "${pair}"`);
    vars[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return vars;
}
