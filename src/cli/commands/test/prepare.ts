import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { defined } from "../../../base/defined.ts";
import { closest } from "../../../base/closest.ts";
import type { Shard } from "../../../report/reporter.ts";
import type { ProjectConfig } from "../../../testing/config/config.ts";
import { findConfig, loadConfig, type LoadedConfig } from "../../../testing/config/load-config.ts";
import { findFiles, type FoundFile } from "../../../testing/find-files.ts";
import type { Once, ProjectPlan, SuitePlan } from "../../../testing/plan-suite.ts";
import type { Selection } from "../../../testing/select.ts";
import type { GivenJob } from "../../../testing/wire.ts";
import { usage } from "../../arguments.ts";
import type { Arguments, Command } from "../../command.ts";
import { settingsOf } from "../../desktop-options.ts";
import { evidenceOf, HEAL, itemOf, pairs, updateModeOf } from "../../workflow-file.ts";
import { fromHere, type Layer, layered, layerOf } from "./layers.ts";
import { milliseconds, whole } from "./values.ts";

/** A project, and what the command line and the configuration say for it. */
export interface Prepared {
  readonly project: ProjectConfig | undefined;
  /** Heard first to last, after the command line. */
  readonly layers: readonly Layer[];
  readonly args: Arguments;
}

/** The command line of a test run with its configuration behind. */
export interface Preparation {
  readonly config: LoadedConfig | undefined;
  /** For what the whole test run is about. */
  readonly layers: readonly Layer[];
  readonly args: Arguments;
  /** One without a name where the configuration has no projects. */
  readonly projects: readonly Prepared[];
}

/** Finds and reads the configuration that a command line means. Throws `usage` and `workflow`. */
export async function prepare(command: Command, args: Arguments): Promise<Preparation> {
  const folder = process.cwd();
  const given = args.string("config");
  const path = given === undefined ? findConfig(folder) : resolve(given);
  const config = path === undefined ? undefined : await loadConfig(path, folder);
  const layers = config ? [layerOf(config)] : [];
  const of = (project: ProjectConfig | undefined, own: readonly Layer[]): Prepared => {
    const all = [...own, ...layers];
    return { project, layers: all, args: layered(args, all) };
  };
  const { projects } = config?.config ?? {};
  const wanted = args.strings("project");
  const names = projects?.map(({ name }) => name) ?? [];
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = closest(unknown, names, 1)[0];
    const hint = names.length === 0
      ? "Projects are declared in backstep.config.yaml."
      : near === undefined
      ? `There are: ${names.join(", ")}.`
      : `Did you mean ${near}?`;
    throw usage(command, `there is no project ${JSON.stringify(unknown)}`, hint);
  }
  return {
    config,
    layers,
    args: layered(args, layers),
    projects: projects && config
      ? projects.map((project, index) => of(project, [layerOf(config, ["projects", index])]))
      : [of(undefined, [])],
  };
}

/** What all projects have in common. */
export interface Common {
  readonly shard: Shard | undefined;
  readonly shuffle: number | undefined;
  readonly lastFailed: boolean;
  /** Files that may be meant at all; undefined: all. */
  readonly changed?: ((file: FoundFile) => boolean) | undefined;
}

/** The files and settings of each project. Throws `usage` for paths that are not there. */
export function suiteOf(
  command: Command,
  raw: Arguments,
  { config, args, projects }: Preparation,
  { shard, shuffle, lastFailed }: Common,
): SuitePlan {
  const folder = process.cwd();
  const mayBeNone = args.boolean("pass-with-no-tests") || projects.length > 1;
  const pathsOnce = [config?.config, ...projects.map(({ project }) => project)]
    .flatMap((one) => [one?.before, one?.after]).flatMap((path) =>
      config && path ? fromHere(config, path) : []
    );
  // What runs once is no file of a project, wherever it lies.
  const apart = new Set(pathsOnce.map((path) => resolve(path)));
  const plans = projects.map(({ project, layers, args: own }): ProjectPlan => {
    const paths = project?.paths ?? config?.config.paths;
    const ofConfig = config && paths ? paths.map((path) => fromHere(config, path)) : undefined;
    const usual = config ? fromHere(config, "workflows") : "workflows";
    const find = (list: readonly string[]) =>
      findFiles(list, folder, { mayBeNone }).filter(({ path }) => !apart.has(path));
    // With paths of its own, a project takes those of its files that the command line names.
    const named = raw.positionals.length === 0 ? undefined : find(raw.positionals);
    const ofProject = project?.paths ? find(ofConfig ?? []) : undefined;
    const files = named === undefined
      ? ofProject ?? find(ofConfig ?? [usual])
      : ofProject === undefined
      ? named
      : named.filter(({ path }) => ofProject.some((one) => one.path === path));
    const session = own.string("session");
    const without = layered(nothing(raw), layers);
    const selection = (from: Arguments, only: boolean): Selection => ({
      grep: from.strings("grep"),
      grepInvert: from.strings("grep-invert"),
      tags: from.strings("tag"),
      shuffle,
      lastFailed: only && lastFailed,
      repeat: whole(command, own, "repeat", 1) ?? 1,
      ...defined({ session, project: project?.name }),
    });
    const job = jobOf(command, own);
    return {
      name: project?.name,
      dependencies: project?.dependencies ?? [],
      files,
      selection: selection(own, true),
      whole: selection(without, false),
      wholeFiles: project && isNeeded(project.name, projects)
        ? ofProject ?? find(ofConfig ?? [usual])
        : files,
      job,
      retries: whole(command, own, "retries", 0) ?? 0,
      before: project && once(config, project.before, job),
      after: project && once(config, project.after, job),
    };
  });
  const job = jobOf(command, args);
  const wanted = raw.strings("project");
  return {
    projects: plans,
    wanted: wanted.length === 0 ? undefined : wanted,
    shard,
    before: once(config, config?.config.before, job),
    after: once(config, config?.config.after, job),
  };
}

function isNeeded(name: string, projects: readonly Prepared[]): boolean {
  return projects.some(({ project }) => project?.dependencies?.includes(name));
}

function once(config: LoadedConfig | undefined, path: string | undefined, job: GivenJob): Once | undefined {
  if (config === undefined || path === undefined) return undefined;
  const [found] = findFiles([fromHere(config, path)], process.cwd());
  return found && { found, job };
}

/** A command line on which nothing is selected. */
function nothing(args: Arguments): Arguments {
  return { ...args, strings: () => [], string: () => undefined, boolean: () => false, given: () => false };
}

/** What the run of each file is given. */
function jobOf(command: Command, args: Arguments): GivenJob {
  const root = args.string("root");
  return {
    vars: pairs(command, args.strings("var")),
    ...(args.boolean(HEAL.name) ? { heal: true } : {}),
    ...defined({
      session: args.string("session"),
      mode: args.string("mode"),
      app: args.string("app"),
      root: root === undefined ? undefined : resolve(root),
      varsFile: args.string("vars-file"),
      item: itemOf(command, args),
      evidence: evidenceOf(args),
      updateBaselines: updateModeOf(args),
      timeout: milliseconds(command, args, "timeout"),
      desktop: settingsOf(command, args),
    }),
  };
}

/** The file of environment variables that is meant: the one named, else `.env` beside the configuration or here. */
export function envFileOf({ config, args }: Preparation): string | undefined {
  const named = args.string("env-file");
  if (named !== undefined) return resolve(named);
  const usual = join(config?.folder ?? process.cwd(), ".env");
  return existsSync(usual) ? usual : undefined;
}
