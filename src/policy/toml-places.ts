/** Where something lies in a text; both count from 1. */
export interface Spot {
  readonly line: number;
  readonly column: number;
}

const BARE = /[A-Za-z0-9_-]/;

/**
 * Where each key of a TOML document stands, by its dotted path; the document has been parsed before, so that it is known
 * to be TOML. Keys inside of inline tables have the place of the key that holds them.
 *
 * @example
 * ```ts
 * import { placesOfKeys } from "./toml-places.ts";
 * const places = placesOfKeys("[http]\nport = 1\n");
 * if (places.get("http.port")?.line !== 2) throw new Error();
 * ```
 */
export function placesOfKeys(toml: string): ReadonlyMap<string, Spot> {
  const places = new Map<string, Spot>();
  let table: readonly string[] = [];
  let at = 0;
  const spot = (index: number): Spot => {
    const before = toml.slice(0, index).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  };
  while (at < toml.length) {
    at = skipSpace(toml, at);
    if (at >= toml.length) break;
    const start = at;
    if (toml[at] === "[") {
      while (toml[at] === "[") at++;
      const path = readPath(toml, at);
      table = path.keys;
      places.set(table.join("."), spot(start));
      at = endOfLine(toml, path.end);
      continue;
    }
    const path = readPath(toml, at);
    places.set([...table, ...path.keys].join("."), spot(start));
    at = endOfValue(toml, path.end + 1);
  }
  return places;
}

function skipSpace(toml: string, from: number): number {
  let at = from;
  while (at < toml.length) {
    if (toml[at] === "#") at = endOfLine(toml, at);
    else if (/\s/.test(toml[at] ?? "")) at++;
    else break;
  }
  return at;
}

function endOfLine(toml: string, from: number): number {
  const end = toml.indexOf("\n", from);
  return end < 0 ? toml.length : end + 1;
}

/** A dotted key with quoted parts, up to its "=" or "]". */
function readPath(toml: string, from: number): { keys: string[]; end: number } {
  const keys: string[] = [];
  let at = from;
  while (at < toml.length && toml[at] !== "=" && toml[at] !== "]" && toml[at] !== "\n") {
    const char = toml[at] ?? "";
    if (char === '"' || char === "'") {
      const end = endOfString(toml, at);
      keys.push(toml.slice(at + 1, end - 1));
      at = end;
    } else if (BARE.test(char)) {
      let end = at;
      while (BARE.test(toml[end] ?? "")) end++;
      keys.push(toml.slice(at, end));
      at = end;
    } else at++;
  }
  return { keys, end: at };
}

/** After a string that begins here. */
function endOfString(toml: string, from: number): number {
  const quote = toml[from] ?? "";
  const mark = toml.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  let at = from + mark.length;
  while (at < toml.length && !toml.startsWith(mark, at)) at += quote === '"' && toml[at] === "\\" ? 2 : 1;
  at += mark.length;
  // Up to two quotes may stand right before the three that end it.
  while (mark.length === 3 && toml[at] === quote) at++;
  return at;
}

function endOfValue(toml: string, from: number): number {
  let at = from;
  let depth = 0;
  while (at < toml.length) {
    const char = toml[at];
    if (char === '"' || char === "'") {
      at = endOfString(toml, at);
      continue;
    }
    if (char === "#") {
      const end = toml.indexOf("\n", at);
      if (end < 0) return toml.length;
      at = end;
      continue;
    }
    at++;
    if (char === "[" || char === "{") depth++;
    if (char === "]" || char === "}") depth--;
    if (char === "\n" && depth <= 0) break;
  }
  return at;
}
