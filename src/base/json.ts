import type { Json } from "./error.ts";

/** A JSON Schema, as plain JSON. */
export type JsonSchema = { readonly [keyword: string]: Json };

/** Is it a list? `Array.isArray` does not tell read-only lists apart. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Levels of lists and maps that JSON from outside may have; what walks it recurses. */
export const DEEPEST_JSON = 200;

/** Do lists and maps nest deeper than so many levels? Needs no stack of its own. */
export function nestsDeeper(value: Json, levels: number = DEEPEST_JSON): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((one) => isList(one) ? [...one] : isMap(one) ? Object.values(one) : []);
  }
  return false;
}

/** The same with U+FFFD for halves of surrogate pairs, in names too: readers refuse JSON that holds one. */
export function wellFormed(value: Json): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (isList(value)) return value.map(wellFormed);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), wellFormed(one)]));
}

/** Is it a map, neither a list nor nothing? */
export function isMap(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that came out of a schema, as JSON: what cannot be written as JSON is left out. */
export function toJson(value: unknown): Json {
  const text = JSON.stringify(value);
  const json: Json = text === undefined ? null : JSON.parse(text);
  return json;
}

/** A map, or an empty one. */
export function asMap(value: Json | undefined): { readonly [key: string]: Json } {
  return isMap(value) ? value : {};
}

/** A list, or an empty one. */
export function asList(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}
