import { existsSync } from "node:fs";
import { join } from "node:path";
import { closest } from "../base/closest.ts";
import { BackstepError, type Place } from "../base/error.ts";
import { type FileEntries, readSettingsFile, settingsFault } from "./settings-file.ts";
import {
  type Environment,
  type Setting,
  SETTINGS,
  SETTINGS_FILES,
  type SettingsFile,
  userFolder,
} from "./table.ts";

/** Where a value comes from. */
export type Source =
  | { readonly from: "flag"; readonly name: string }
  | { readonly from: "environment"; readonly name: string }
  | { readonly from: "file"; readonly place: Place }
  | { readonly from: "default" };

/** What settings are read from. */
export interface SettingsInput {
  readonly environment: Environment;
  /** Options of the command line, without dashes. */
  readonly flags?: { readonly [name: string]: string };
  /** Folder of the files; default: `backstep` in XDG_CONFIG_HOME, else the published `axterminator` beside it. */
  readonly folder?: string;
}

/** One row of what is configured. */
export interface SettingRow {
  readonly setting: string;
  /** Secrets are masked. */
  readonly value: string;
  readonly source: string;
}

/** Prefix of our variables, and the published one that is accepted for it. */
const OWN = "BACKSTEP_";
const PUBLISHED = "AXTERMINATOR_";
/** Variables that guard something. */
const GUARDS = [
  SETTINGS.mode,
  SETTINGS.confirmDestructive,
  SETTINGS.allowed,
  SETTINGS.denied,
  SETTINGS.auditLog,
].flatMap(({ variable }) => variable ?? []);

/** A value and where it comes from. */
interface Found<T> {
  readonly value: T;
  readonly source: Source;
}

/**
 * What is configured: flags override the environment, which overrides files, which override defaults. Making one reads the
 * files and checks everything: throws `usage` for the first value that cannot be, with its place.
 *
 * @example
 * ```ts
 * import { Settings } from "./settings.ts";
 * import { SETTINGS } from "./table.ts";
 * const environment = { BACKSTEP_SECURITY_MODE: "safe" };
 * const settings = new Settings({ environment, folder: "/nonexistent" });
 * if (settings.get(SETTINGS.mode) !== "safe") throw new Error();
 * ```
 */
export class Settings {
  /** Folder of the files, whether it is there or not. */
  readonly folder: string;
  readonly #input: SettingsInput;
  readonly #files: ReadonlyMap<SettingsFile, FileEntries>;
  readonly #notes: string[] = [];

  constructor(input: SettingsInput) {
    this.#input = input;
    this.folder = input.folder ?? this.#folder();
    const files = new Map<SettingsFile, FileEntries>();
    for (const name of SETTINGS_FILES) {
      const read = readSettingsFile(join(this.folder, name), name);
      if (read) files.set(name, read);
    }
    this.#files = files;
    for (const setting of Object.values(SETTINGS)) this.#find<unknown>(setting);
    this.#noteVariables();
  }

  /** A setting's value. */
  get<T>(setting: Setting<T>): T {
    return this.#find(setting).value;
  }

  /** Where a setting's value comes from. */
  source(setting: Setting<unknown>): Source {
    return this.#find(setting).source;
  }

  /** Paths of the files that were there. */
  get files(): readonly string[] {
    return [...this.#files.values()].map(({ path }) => path);
  }

  /** Every setting, its value and its source, for tables. */
  get rows(): readonly SettingRow[] {
    return Object.values(SETTINGS).map((setting) => this.#row<unknown>(setting));
  }

  /** The environment with what flags and files say put in as our variables, for those who read only that. */
  get environment(): Environment {
    const reported: Record<string, string | undefined> = { ...this.#input.environment };
    for (const setting of Object.values(SETTINGS)) {
      const { variable } = setting;
      if (variable === undefined) continue;
      const { from, text } = this.#reported<unknown>(setting);
      if (from === "flag" || from === "file") reported[`${OWN}${variable}`] = text;
    }
    return reported;
  }

  /** What should be said at the start: published names that were taken, what was passed over. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** The same input read anew: files may have changed. Throws as the constructor. */
  reread(): Settings {
    return new Settings({ ...this.#input, folder: this.folder });
  }

  #reported<T>(setting: Setting<T>): { from: Source["from"]; text: string } {
    const { value, source: { from } } = this.#find(setting);
    return { from, text: setting.kind.show(value) };
  }

  #row<T>(setting: Setting<T>): SettingRow {
    const { value, source } = this.#find(setting);
    const shown = setting.kind.show(value);
    return {
      setting: setting.name,
      value: shown === "" && source.from === "default" ? setting.shownDefault ?? "(none)" : shown,
      source: sourceText(source),
    };
  }

  #find<T>(setting: Setting<T>): Found<T> {
    return this.#flag(setting) ?? this.#variable(setting) ?? this.#entry(setting) ?? {
      value: setting.work?.(this.#input.environment) ?? setting.default,
      source: { from: "default" },
    };
  }

  #flag<T>({ flag, kind }: Setting<T>): Found<T> | undefined {
    const given = flag === undefined ? undefined : this.#input.flags?.[flag];
    if (flag === undefined || given === undefined) return undefined;
    const value = kind.fromText(given);
    if (value === undefined) throw notAllowed(`--${flag}`, given, kind.allowed);
    return { value, source: { from: "flag", name: `--${flag}` } };
  }

  #variable<T>(setting: Setting<T>): Found<T> | undefined {
    const name = variablesOf(setting).find((one) => this.#input.environment[one]);
    const given = name === undefined ? undefined : this.#input.environment[name];
    if (name === undefined || given === undefined) return undefined;
    const value = setting.kind.fromText(given);
    if (value === undefined) throw notAllowed(name, given, setting.kind.allowed);
    return { value, source: { from: "environment", name } };
  }

  #entry<T>({ keys, kind }: Setting<T>): Found<T> | undefined {
    for (const [file, path] of keys ?? []) {
      const entry = this.#files.get(file)?.entries.get(path);
      if (entry === undefined) continue;
      const value = kind.fromToml(entry.value);
      if (value === undefined) {
        throw settingsFault(entry.place, `${path} is ${brief(entry.value)}, not ${kind.allowed}`);
      }
      return { value, source: { from: "file", place: entry.place } };
    }
    return undefined;
  }

  #folder(): string {
    const config = userFolder(this.#input.environment, "XDG_CONFIG_HOME", ".config");
    const [own, published] = [join(config, "backstep"), join(config, "axterminator")];
    const has = (folder: string) => SETTINGS_FILES.some((name) => existsSync(join(folder, name)));
    if (!has(published)) return own;
    if (has(own)) {
      this.#notes.push(`${published} is passed over: ${own} is there`);
      return own;
    }
    this.#notes.push(`settings are read from the published folder ${published}; ours is ${own}`);
    return published;
  }

  #noteVariables(): void {
    const { environment } = this.#input;
    const existing = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? []);
    for (const name of Object.keys(environment).sort()) {
      const prefix = [OWN, PUBLISHED].find((one) => name.startsWith(one));
      if (prefix === undefined || !environment[name]) continue;
      const word = name.slice(prefix.length);
      const own = `${OWN}${word}`;
      if (!existing.includes(word)) this.#stranger(name, word, prefix, existing);
      else if (prefix === OWN) continue;
      else if (environment[own]) this.#notes.push(`${name} is passed over: ${own} is set`);
      else this.#notes.push(`${name} is taken as ${own}`);
    }
  }

  /** A misspelt word that was to guard something must not leave it open. */
  #stranger(name: string, word: string, prefix: string, existing: readonly string[]): void {
    const [guard] = closest(word, GUARDS);
    if (guard !== undefined) {
      throw new BackstepError("usage", `Cannot use ${name}: there is no such setting`, {
        hint: `Did you mean ${prefix}${guard}?`,
      });
    }
    if (prefix === OWN) return; // others of our own variables are no settings
    const [near] = closest(word, existing);
    this.#notes.push(
      `${name} is passed over: there is no such setting${near ? `; did you mean ${prefix}${near}?` : ""}`,
    );
  }
}

/** The variables that a setting is read from, the one that counts first. */
export function variablesOf({ variable, foreign }: Setting<unknown>): readonly string[] {
  return [
    ...variable === undefined ? [] : [`${OWN}${variable}`, `${PUBLISHED}${variable}`],
    ...foreign ?? [],
  ];
}

/** A source for tables: "environment BACKSTEP_HTTP_PORT", "/home/x/config.toml:3". */
function sourceText(source: Source): string {
  switch (source.from) {
    case "flag":
      return `flag ${source.name}`;
    case "environment":
      return `environment ${source.name}`;
    case "file":
      return `${source.place.file}:${source.place.line}`;
    case "default":
      return "default";
  }
}

function notAllowed(where: string, given: string, allowed: string): BackstepError {
  return new BackstepError("usage", `Cannot use ${where}: ${brief(given)} is not ${allowed}`);
}

/** A value for messages; BigInt and dates of TOML are no JSON. */
function brief(value: unknown): string {
  const text = typeof value === "string" || Array.isArray(value) ? JSON.stringify(value) : String(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
