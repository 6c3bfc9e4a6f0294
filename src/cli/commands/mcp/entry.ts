import { isDeepStrictEqual } from "node:util";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { BackstepError } from "../../../base/error.ts";

/** How a client starts the server. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
}

type Table = { readonly [key: string]: unknown };

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An entry as it is written: what a person added to the one before stays, our own words replace theirs. */
function merged(before: unknown, entry: ServerEntry, more: { readonly [key: string]: string }): Table {
  const old = isTable(before) ? before : {};
  const { command, args, env } = entry;
  const both = { ...(isTable(old["env"]) ? old["env"] : {}), ...env };
  // An entry for an address is of another kind: nothing of it fits a command.
  const { url: _url, ...kept } = old;
  return {
    ...kept,
    ...more,
    command,
    args: [...args],
    ...(Object.keys(both).length > 0 ? { env: both } : {}),
  };
}

/** Puts an entry into the text of a JSON file; everything else in it stays. Refuses what it could not keep. */
export function intoJson(
  text: string,
  key: string,
  name: string,
  entry: ServerEntry,
  more: { readonly [key: string]: string } = {},
): string {
  const bare = text.replace(/^\uFEFF/, "");
  const all = bare.trim() === "" ? {} : tableOf(bare);
  const servers = all[key] ?? {};
  if (!isTable(servers)) throw unkept(`"${key}" is no map of servers there`);
  const next = { ...all, [key]: { ...servers, [name]: merged(servers[name], entry, more) } };
  if (same(all, next)) return text;
  const indent = /^[ \t]+(?=")/m.exec(bare)?.[0] ?? "  ";
  return `${text.startsWith("\uFEFF") ? "\uFEFF" : ""}${JSON.stringify(next, undefined, indent)}\n`;
}

function tableOf(text: string): Table {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unkept("it is not plain JSON; comments would be lost");
  }
  if (!isTable(value)) throw unkept("it holds no JSON object");
  const numbers = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d+/g) ?? [];
  if (numbers.some((one) => !Number.isSafeInteger(Number(one)))) {
    throw unkept("it holds numbers that are too long");
  }
  return value;
}

/** As `intoJson`, for TOML: our own table is replaced or added at the end, no other line is touched. */
export function intoToml(text: string, key: string, name: string, entry: ServerEntry): string {
  const servers = serversOf(text, key);
  const next = merged(servers[name], entry, {});
  if (same(servers[name], next)) return text;
  const own = tomlEntry(key, name, next);
  const { before, after } = around(text, key, name);
  const gap = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const written = `${before}${gap}${own}${after === "" ? "" : `\n${after}`}`;
  const now = serversOf(written, key);
  if (!same(now[name], next) || !sameBut(text, written, key, name)) {
    throw unkept(`"${key}" is not written as tables there`);
  }
  return written;
}

/** The text of one entry, for a person to paste. */
export function tomlEntry(key: string, name: string, entry: Table): string {
  return `${stringifyToml({ [key]: { [name]: { ...entry } } }).replace(`[${key}]\n`, "").trim()}\n`;
}

function serversOf(text: string, key: string): Table {
  let all: unknown;
  try {
    all = parseToml(text);
  } catch (error) {
    throw unkept(`it cannot be read: ${error instanceof Error ? error.message.split("\n")[0] : "no TOML"}`);
  }
  const servers = isTable(all) ? all[key] ?? {} : {};
  if (!isTable(servers)) throw unkept(`"${key}" is no table of servers there`);
  return servers;
}

/** The text before and after the tables of an entry. */
function around(text: string, key: string, name: string): { before: string; after: string } {
  const own = new RegExp(
    `^\\s*\\[\\s*${bareOrQuoted(key)}\\s*\\.\\s*${bareOrQuoted(name)}\\s*(\\.[^\\]]*)?\\]`,
  );
  const lines = text.split(/(?<=\n)/);
  const first = lines.findIndex((line) => own.test(line));
  if (first < 0) return { before: text, after: "" };
  const length = lines.slice(first).findIndex((line) => /^\s*\[/.test(line) && !own.test(line));
  const end = length < 0 ? lines.length : first + length;
  return { before: lines.slice(0, first).join(""), after: lines.slice(end).join("") };
}

function bareOrQuoted(word: string): string {
  return `(?:${word}|"${word}"|'${word}')`;
}

/** Do both say the same but for one entry? */
function sameBut(one: string, other: string, key: string, name: string): boolean {
  const rest = (text: string) => {
    const { [key]: servers, ...more } = parseToml(text);
    const { [name]: _own, ...others } = isTable(servers) ? servers : {};
    return { ...more, [key]: others };
  };
  return same(rest(one), rest(other));
}

function unkept(why: string): BackstepError {
  return new BackstepError("refused", `Cannot change the file: ${why}`);
}

/** Do both mean the same? The TOML parser's maps are of another kind than ours. */
function same(one: unknown, other: unknown): boolean {
  const plain = (value: unknown): unknown =>
    value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  return isDeepStrictEqual(plain(one), plain(other));
}

/** Is it a name that every client takes? */
export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,60}$/.test(name);
}
