import { closest } from "../../../base/closest.ts";
import { INVALID_PARAMS, ProtocolError } from "../../server/wire.ts";
import { noSuch } from "../axterminator/address.ts";

/** The prefix of this family. */
const MACOS = "macos://";

/** What an address of this family means. */
export type MacosAddress =
  | { readonly what: "applications" }
  | {
    readonly what: "menus";
    readonly bundleId: string;
    readonly menuTitle: string | undefined;
    readonly includeSubmenus: boolean;
  }
  | { readonly what: "windows"; readonly bundleId: string; readonly includeMinimized: boolean }
  | {
    readonly what: "ui";
    /** Decoded, "macos://ui/" in front. */
    readonly path: string;
    readonly maxDepth: number;
    readonly interactable: boolean;
    readonly limit: number;
  };

/** Where a long answer goes on. */
export interface Paging {
  /** The address without its cursor. */
  readonly address: string;
  readonly cursor: string | undefined;
}

/** More levels than a tree has, more elements than somebody can use. */
const MOST_DEPTH = 255, MOST = 10_000;

/**
 * Takes an address apart; undefined: it is of another family. The query begins at the first `?` that lies neither in quotes
 * nor in brackets. Throws -32602 for a parameter that there is not or whose value cannot be, -32002 for what this family
 * does not have.
 */
export function parseMacos(uri: string): (MacosAddress & Paging) | undefined {
  if (!uri.toLowerCase().startsWith(MACOS)) return undefined;
  const { path, query } = splitQuery(uri.slice(MACOS.length));
  const given = parametersOf(query, uri);
  const cursor = given.get("cursor");
  const rest = [...given].filter(([name]) => name !== "cursor");
  const search = rest.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const paging = { address: MACOS + path + (search === "" ? "" : `?${search}`), cursor };
  const read = new Parameters(new Map(rest), uri);
  if (path === "applications" || path === "applications/") {
    read.only([]);
    return { what: "applications", ...paging };
  }
  if (path.startsWith("ui/")) {
    read.only(["maxDepth", "interactable", "limit"]);
    return {
      what: "ui",
      path: `${MACOS}ui/${decodedPath(path.slice(3), uri)}`,
      maxDepth: Math.min(MOST_DEPTH, read.count("maxDepth", 10, 0)),
      interactable: read.flag("interactable", false),
      limit: read.count("limit", 100, 1, MOST),
      ...paging,
    };
  }
  const [, name, view] = /^applications\/(.+)\/(menus|windows)$/s.exec(path) ?? [];
  if (name === undefined) throw noSuch(uri, "there is no such resource", { templates: TEMPLATE_NAMES });
  const bundleId = decoded(name, uri);
  if (view === "windows") {
    read.only(["includeMinimized"]);
    return { what: "windows", bundleId, includeMinimized: read.flag("includeMinimized", true), ...paging };
  }
  read.only(["menuTitle", "includeSubmenus"]);
  return {
    what: "menus",
    bundleId,
    menuTitle: read.text("menuTitle"),
    includeSubmenus: read.flag("includeSubmenus", false),
    ...paging,
  };
}

const TEMPLATE_NAMES = [
  "macos://applications",
  "macos://ui/{path}",
  "macos://applications/{bundleId}/menus",
  "macos://applications/{bundleId}/windows",
];

/**
 * What stands before and after the `?` that begins the query. Quotes and brackets count whether they are percent-encoded
 * or not; a backslash in quotes takes the meaning from what follows it.
 */
export function splitQuery(text: string): { readonly path: string; readonly query: string | undefined } {
  let quote = "";
  let brackets = 0;
  for (let at = 0; at < text.length;) {
    const code = /^%(22|27|5B|5D|5C)/i.exec(text.slice(at, at + 3))?.[1];
    const char = code === undefined ? text[at] ?? "" : String.fromCharCode(Number.parseInt(code, 16));
    const next = at + (code === undefined ? 1 : 3);
    if (quote !== "") {
      if (char === "\\") {
        at = next + (/^%[0-9a-f]{2}/i.test(text.slice(next)) ? 3 : 1);
        continue;
      }
      if (char === quote) quote = "";
    } else if (brackets > 0 && (char === '"' || char === "'")) quote = char;
    else if (char === "[") brackets++;
    else if (char === "]") brackets = Math.max(0, brackets - 1);
    else if (char === "?" && brackets === 0) return { path: text.slice(0, at), query: text.slice(at + 1) };
    at = next;
  }
  return { path: text, query: undefined };
}

/**
 * The path of elements as it was meant. The first quote that opens a value tells whether it was percent-encoded on its way:
 * where that stands as it is, so does all of it.
 */
function decodedPath(path: string, uri: string): string {
  const opening = /(?:=|,|%3D|%2C)(?:\s|%20|\+)*("|'|%22|%27)/i.exec(path)?.[1];
  return opening === '"' || opening === "'" ? path : decoded(path, uri);
}

function decoded(text: string, uri: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid(uri, "it is not percent-encoded as it should be");
  }
}

function parametersOf(query: string | undefined, uri: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of query === undefined || query === "" ? [] : query.split("&")) {
    const [name = "", ...value] = part.split("=");
    const key = decoded(name, uri);
    if (value.length === 0) throw invalid(uri, `the parameter "${key.slice(0, 60)}" has no value`);
    if (found.has(key)) throw invalid(uri, `the parameter "${key.slice(0, 60)}" stands there twice`);
    found.set(key, decoded(value.join("=").replaceAll("+", "%20"), uri));
  }
  return found;
}

/** Reads parameters by their types. */
class Parameters {
  readonly #given: ReadonlyMap<string, string>;
  readonly #uri: string;

  constructor(given: ReadonlyMap<string, string>, uri: string) {
    this.#given = given;
    this.#uri = uri;
  }

  only(names: readonly string[]): void {
    for (const name of this.#given.keys()) {
      if (names.includes(name)) continue;
      const [near] = closest(name, names);
      const there = names.length === 0 ? "it takes none" : `there are ${names.join(", ")}`;
      const why = near === undefined ? there : `did you mean ${near}?`;
      throw invalid(this.#uri, `there is no parameter "${name.slice(0, 60)}": ${why}`);
    }
  }

  text(name: string): string | undefined {
    const value = this.#given.get(name);
    if (value === "") throw invalid(this.#uri, `${name} is empty`);
    return value;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.#given.get(name);
    if (value === undefined) return fallback;
    if (value !== "true" && value !== "false") {
      throw invalid(this.#uri, `${name} is true or false, not "${value.slice(0, 60)}"`);
    }
    return value === "true";
  }

  count(name: string, fallback: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
    const value = this.#given.get(name);
    if (value === undefined) return fallback;
    const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
    if (!(number >= least && number <= most)) {
      const upTo = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`;
      throw invalid(this.#uri, `${name} is a whole number from ${least}${upTo}, not "${value.slice(0, 60)}"`);
    }
    return number;
  }
}

/** -32602, with what is wrong with the address. */
export function invalid(uri: string, why: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `Invalid resource address: ${why}`, { uri: uri.slice(0, 2_000) });
}
