import { relative, resolve } from "node:path";
import process from "node:process";
import type { Json, Place } from "../../../base/error.ts";
import { asMap, isList, toJson } from "../../../base/json.ts";
import type { LoadedConfig } from "../../../testing/config/load-config.ts";
import type { Arguments } from "../../command.ts";
import { DESKTOP_OPTIONS } from "../../desktop-options.ts";

/** What a place of the configuration says of one option, as the command line would. */
interface Said {
  readonly words: readonly string[];
  readonly place: Place;
}

/** What a part of the configuration says, by option. */
export type Layer = ReadonlyMap<string, Said>;

/** Keys that are no option: what they say has no word on a command line. */
const NO_OPTION = ["projects", "name", "dependencies", "before", "after", "paths"];
/** Keys that an option with another name stands for. */
const RENAMED: Readonly<Record<string, string>> = { reporters: "reporter", tags: "tag", vars: "var" };
/** Keys whose texts are paths, relative to the configuration's folder. */
const PATHS = ["output", "root", "vars_file", "env_file"];
/** Options of which all layers count: each narrows what is selected, or names something else. */
const ADDED: readonly string[] = ["tag", "grep", "grep-invert", "var"];
/** Options that are times: a number in the file is milliseconds. */
const TIMES = ["timeout", "global-timeout"];

/** A path of the configuration, as it is given on the command line of this folder. */
export function fromHere({ folder }: LoadedConfig, path: string): string {
  return relative(process.cwd(), resolve(folder, path)) || ".";
}

/** The options that a map of the configuration says: the whole file's, or a project's at `path`. */
export function layerOf(loaded: LoadedConfig, path: readonly (string | number)[] = []): Layer {
  const layer = new Map<string, Said>();
  const map = path.reduce<Json>(
    (at, key) => isList(at) ? at[Number(key)] ?? null : asMap(at)[key] ?? null,
    toJson(loaded.config),
  );
  for (const [key, value] of Object.entries(asMap(map))) {
    if (NO_OPTION.includes(key)) continue;
    if (key === "desktop") {
      for (const { name, setting } of DESKTOP_OPTIONS) {
        const one = asMap(value)[setting];
        if (one === undefined) continue;
        layer.set(name, { words: wordsOf(one), place: loaded.placeOf([...path, key, setting]) });
      }
      continue;
    }
    const option = RENAMED[key] ?? key.replaceAll("_", "-");
    const words = PATHS.includes(key) ? wordsOf(value).map((one) => fromHere(loaded, one)) : wordsOf(value);
    layer.set(option, {
      words: TIMES.includes(option)
        ? words.map((one) => /^[\d.]+$/.test(one) ? `${one}ms` : one)
        : option === "reporter"
        ? words.map((one) => one.replace(/(?<==).+$/s, (file) => fromHere(loaded, file)))
        : words,
      place: loaded.placeOf([...path, key]),
    });
  }
  return layer;
}

/** A value as the words of an option: a map as name=value, each. */
function wordsOf(value: Json): string[] {
  if (isList(value)) return value.map(String);
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).map(([name, one]) => `${name}=${String(one)}`);
}

/** A command line behind which a configuration stands: the first layer that says something of an option is heard. */
export function layered(args: Arguments, layers: readonly Layer[]): Arguments {
  const words = (name: string): readonly string[] => {
    const said = layers.flatMap((layer) => layer.get(name) ?? []);
    // Of a variable that is given twice, the last one counts.
    if (ADDED.includes(name)) {
      return [...said.toReversed().flatMap((one) => one.words), ...args.strings(name)];
    }
    return args.given(name) ? args.strings(name) : said[0]?.words ?? [];
  };
  return {
    positionals: args.positionals,
    string: (name) => words(name)[0],
    strings: words,
    number: (name) => words(name).length > 0 ? Number(words(name)[0]) : undefined,
    boolean: (name) => words(name)[0] === "true",
    given: (name) => words(name).length > 0,
  };
}

/** Where what is heard of an option comes from; undefined: nobody says anything of it. */
export function sourceOf(
  name: string,
  args: Arguments,
  layers: readonly Layer[],
): { readonly source: string; readonly place?: Place } | undefined {
  if (args.given(name)) return { source: "command line" };
  const place = layers.flatMap((layer) => layer.get(name) ?? [])[0]?.place;
  return place && { source: `${place.file}:${place.line}:${place.column}`, place };
}
