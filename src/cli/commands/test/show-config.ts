import process from "node:process";
import { defined } from "../../../base/defined.ts";
import type { Place } from "../../../base/error.ts";
import { table } from "../../../report/layout.ts";
import { oneLine } from "../../../report/style.ts";
import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { fromHere, type Layer, sourceOf } from "./layers.ts";
import type { Preparation } from "./prepare.ts";

/** An option with its value, and where that comes from. */
interface Setting {
  readonly name: string;
  readonly value: readonly string[] | undefined;
  /** "command line", file:line:column, "environment" or "default". */
  readonly source: string;
  readonly place?: Place;
}

/** Options that say what this one command line does, and are no settings. */
const NOT_SHOWN = ["config", "show-config", "list", "format", "help", "project"];

/** `--show-config`: each setting with its value and its source, for the whole test run and then for each project. */
export function showConfig(
  command: Command,
  raw: Arguments,
  { config, layers, args, projects }: Preparation,
  defaults: ReadonlyMap<string, { readonly words: readonly string[]; readonly source: string }>,
  env: { readonly file: string; readonly names: readonly string[] } | undefined,
  io: Io,
): number {
  const settingsOf = (own: readonly Layer[], heard: Arguments, all: boolean): Setting[] =>
    command.options.flatMap(({ name }): Setting[] => {
      if (NOT_SHOWN.includes(name)) return [];
      const found = sourceOf(name, raw, own);
      const usual = defaults.get(name);
      if (found === undefined && usual === undefined) return [];
      if (!all && !own[0]?.has(name)) return [];
      return [{
        name,
        value: found ? heard.strings(name) : usual?.words,
        source: found?.source ?? usual?.source ?? "default",
        ...defined({ place: found?.place }),
      }];
    });
  const whole = settingsOf(layers, args, true);
  const named = projects.flatMap(({ project, layers: own, args: heard }) =>
    project ? [{ project, settings: settingsOf(own, heard, false) }] : []
  );
  const paths = config?.config.paths?.map((path) => fromHere(config, path));
  const shownPaths: Setting = {
    name: "paths",
    value: raw.positionals.length > 0 ? raw.positionals : paths ?? ["workflows"],
    source: raw.positionals.length > 0
      ? "command line"
      : config && paths
      ? textOf(config.placeOf(["paths"]))
      : "default",
  };
  const lines = (settings: readonly Setting[]) =>
    table(settings.map(({ name, value, source }) => [
      `  ${name}`,
      oneLine((value ?? []).join(", ")),
      io.style.dim(source),
    ]));
  io.text(`${config ? config.file : "no configuration"}\n`);
  for (const line of lines([shownPaths, ...whole])) io.text(`${line}\n`);
  for (const { project, settings } of named) {
    const { dependencies = [] } = project;
    io.text(
      `project ${project.name}${dependencies.length > 0 ? `, after ${dependencies.join(", ")}` : ""}\n`,
    );
    for (const line of lines(settings)) io.text(`${line}\n`);
  }
  if (env) {
    io.text(`${env.file}: ${env.names.length === 0 ? "sets nothing" : `sets ${env.names.join(", ")}`}\n`);
  }
  io.json({
    file: config?.file ?? null,
    folder: config?.folder ?? process.cwd(),
    settings: [shownPaths, ...whole],
    projects: named.map(({ project: { name, dependencies = [] }, settings }) => ({
      name,
      dependencies,
      settings,
    })),
    env: env ?? null,
  });
  return 0;
}

function textOf({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}
