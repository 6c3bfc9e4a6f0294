import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { parse, TomlError } from "smol-toml";
import { closest } from "../base/closest.ts";
import { BackstepError, type Place } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { SETTINGS, type SettingsFile } from "./table.ts";
import { placesOfKeys } from "./toml-places.ts";

/** One value of a file. */
export interface FileEntry {
  readonly value: unknown;
  readonly place: Place;
}

/** A settings file as it was read: its values by their dotted paths. */
export interface FileEntries {
  readonly path: string;
  readonly entries: ReadonlyMap<string, FileEntry>;
}

/** Bytes a settings file may have. */
const LARGEST = 1 << 16;
const WRITABLE_BY_ALL = 0o002;

/** The dotted paths that a file of this name may have. */
function allowedKeys(file: SettingsFile): ReadonlySet<string> {
  return new Set(
    Object.values(SETTINGS).flatMap(({ keys }) =>
      (keys ?? []).filter(([name]) => name === file).map(([, path]) => path)
    ),
  );
}

/** A fault in a settings file, with its place. */
export function settingsFault(place: Place, what: string, hint?: string): BackstepError {
  const { file, line, column } = place;
  return new BackstepError("usage", `Cannot use ${file}: line ${line}, column ${column}: ${what}`, {
    place,
    ...defined({ hint }),
  });
}

/**
 * Reads a settings file; undefined where there is none. Throws `usage` with the place for what is no TOML and for unknown
 * keys, and without one for a file that others may write to or that is none.
 */
export function readSettingsFile(path: string, kind: SettingsFile): FileEntries | undefined {
  const toml = readPlainFile(path);
  return toml === undefined ? undefined : { path, entries: entriesOf(toml, path, kind) };
}

/** The values of a settings file's text. */
export function entriesOf(toml: string, path: string, kind: SettingsFile): ReadonlyMap<string, FileEntry> {
  const document = parsed(toml, path);
  const places = placesOfKeys(toml);
  const existing = allowedKeys(kind);
  const tables = new Set([...existing].flatMap((key) => key.includes(".") ? [key.split(".")[0] ?? ""] : []));
  const entries = new Map<string, FileEntry>();
  const placeOf = (key: string): Place => ({ file: path, ...(places.get(key) ?? { line: 1, column: 1 }) });
  for (const [key, value] of Object.entries(document)) {
    if (!tables.has(key) || !isTable(value)) {
      take(key, value);
      continue;
    }
    for (const [inner, one] of Object.entries(value)) take(`${key}.${inner}`, one);
  }
  return entries;

  function take(key: string, value: unknown) {
    const place = placeOf(key);
    if (existing.has(key)) {
      entries.set(key, { value, place });
      return;
    }
    if (tables.has(key)) {
      throw settingsFault(place, `${key} is a table, written as [${key}]`);
    }
    const near = closest(key, [...existing, ...tables]);
    throw settingsFault(
      place,
      `${key} is no setting of ${kind}`,
      near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `It may have ${[...existing].join(", ")}.`,
    );
  }
}

function parsed(toml: string, path: string): { readonly [key: string]: unknown } {
  try {
    return parse(toml, { maxDepth: 8, unsafeKeyBehaviour: "throw" });
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    const [what = "it is no TOML"] = thrown.message.replace("Invalid TOML document: ", "").split("\n");
    throw settingsFault({ file: path, line: thrown.line, column: thrown.column }, what);
  }
}

function isTable(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function readPlainFile(path: string): string | undefined {
  const cannot = (why: string, hint?: string) =>
    new BackstepError("usage", `Cannot use ${path}: ${why}`, hint === undefined ? {} : { hint });
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw cannot(`it cannot be read (${String(code)})`);
  }
  try {
    const about = fstatSync(handle);
    if (!about.isFile()) throw cannot("it is no file");
    if (about.size > LARGEST) throw cannot(`it is larger than ${LARGEST} bytes`);
    if ((about.mode & WRITABLE_BY_ALL) !== 0) {
      throw cannot("everybody may write to it", `Run \`chmod o-w ${path}\`.`);
    }
    return readFileSync(handle, "utf8");
  } finally {
    closeSync(handle);
  }
}
