import { statSync } from "node:fs";
import { resolve } from "node:path";
import { UPDATE_MODES, type UpdateMode } from "../contract/baselines.ts";
import { EVIDENCE_MODES, type EvidenceMode } from "../engine/evidence/mode.ts";
import type { ReadyFile } from "../script/load-file.ts";
import type { DesktopSettings } from "../session/settings/settings.ts";
import type { Json } from "../base/error.ts";
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
  {
    name: "item",
    kind: "string",
    value: "<k=v>",
    multiple: true,
    description:
      "Set a field of the work item, {{item.k}}; may be repeated (`backstep fleet items` loads many)",
  },
  { name: "vars-file", kind: "string", value: "<file>", description: "Variables from a YAML or JSON file" },
  {
    name: "root",
    kind: "string",
    value: "<folder>",
    description: "Folder that contains all files of the workflow",
  },
];

/** Where variables of the environment may come from. */
export const ENV_FILE: OptionSpec = {
  name: "env-file",
  kind: "string",
  value: "<file>",
  description: "Environment variables that are not set yet, as NAME=value lines",
};

/** Which of a file's cases a command is about. */
export const CASE: OptionSpec = {
  name: "case",
  kind: "string",
  value: "<name>",
  description: "Use the values of this one of the file's `cases:`; default: of none, so that defaults hold",
};

/** What commands that run workflows say about baselines. */
export const UPDATE_BASELINES: OptionSpec = {
  name: "update-baselines",
  kind: "string",
  value: "<which>",
  choices: UPDATE_MODES,
  description:
    "Which baselines are written: missing ones (default), also changed ones, all, or none (default where CI=true)",
};

/** What the command line says about them; undefined: nothing. */
export function updateModeOf(args: Pick<Arguments, "string">): UpdateMode | undefined {
  return UPDATE_MODES.find((mode) => mode === args.string(UPDATE_BASELINES.name));
}

/** When commands that run workflows keep what each step looked like. */
export const EVIDENCE: OptionSpec = {
  name: "evidence",
  kind: "string",
  value: "<when>",
  choices: EVIDENCE_MODES,
  description: "When encrypted screenshots and trees of each step are stored with the run: on, on-failure " +
    "(default of test), or off (default of run)",
};

/** What commands that run workflows do about a locator that finds nothing. */
export const HEAL: OptionSpec = {
  name: "heal",
  kind: "boolean",
  description: "Try what a locator that finds nothing may have meant, roll that back, and write a patch " +
    "(`backstep heal`); the run fails even so",
};

/** What the command line says about it; undefined: nothing. */
export function evidenceOf(args: Pick<Arguments, "string">): EvidenceMode | undefined {
  return EVIDENCE_MODES.find((mode) => mode === args.string(EVIDENCE.name));
}

/** A workflow file with everything that a run or a plan of it is given, and where it is to run. */
export interface LoadedFile extends ReadyFile {
  /** The desktop that is meant: `--session`, else the file's, else a private one. */
  readonly session: string;
  readonly mode: string | undefined;
  /** What a private desktop is to be like: what the command line says goes before what the file does. */
  readonly settings: DesktopSettings | undefined;
}

/** Reads the file that a command line names. What is wrong with it is told before any desktop is opened. */
export async function loadFile(
  command: Command,
  args: Arguments,
  more: {
    readonly toolWorkflows?: boolean;
    /** Default: the one that the command line names first. */
    readonly file?: string;
    /** Values of its variables that an earlier run of it had. */
    readonly given?: Readonly<Record<string, Json>>;
    /** Told the true path of each file that it is made of. */
    readonly reads?: (path: string) => void;
    /** Of a program: which reading of it this is. */
    readonly reading?: number;
  } = {},
): Promise<LoadedFile> {
  const { loadFile: load } = await import("../script/load-file.ts");
  const { askSecret } = await import("./ask-secret.ts");
  const { settingsOf } = await import("./desktop-options.ts");
  const wanted = settingsOf(command, args);
  const given = args.string("root");
  const env = args.string(ENV_FILE.name);
  if (env !== undefined) (await import("../testing/env-file.ts")).loadEnvFile(resolve(env));
  const { file = args.positionals[0] ?? "", ...rest } = more;
  const ready = await load(file, {
    ...rest,
    doing: command.name,
    root: given === undefined ? undefined : folderOf(command, "root", given),
    app: args.string("app"),
    vars: pairs(command, args.strings("var")),
    varsFile: args.string("vars-file"),
    item: itemOf(command, args),
    case: args.string(CASE.name),
    ask: askSecret(),
  });
  return {
    ...ready,
    session: args.string("session") ?? ready.workflow.session ?? "isolated",
    mode: args.string("mode") ?? ready.workflow.mode,
    settings: wanted === undefined ? ready.workflow.desktop : { ...ready.workflow.desktop, ...wanted },
  };
}

/** The work item that the command line says; undefined: none. */
export function itemOf(
  command: Pick<Command, "name">,
  args: Pick<Arguments, "strings">,
): Record<string, string> | undefined {
  const given = args.strings("item");
  return given.length === 0 ? undefined : pairs(command, given, "item");
}

/** Is it a desktop that is made for this command, and goes with it? */
export function isOwn(session: string): boolean {
  return session === "isolated" || session === "simulated";
}

function folderOf(command: Command, option: string, path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return resolve(path);
  throw usage(command, `--${option} names no folder: ${path}`);
}

/** `--var name=value`, each. */
export function pairs(
  command: Pick<Command, "name">,
  given: readonly string[],
  option = "var",
): Record<string, string> {
  const vars: Record<string, string> = {};
  for (const pair of given) {
    const at = pair.indexOf("=");
    if (at < 1) throw usage(command, `--${option} takes name=value, not "${pair}"`);
    vars[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return vars;
}
