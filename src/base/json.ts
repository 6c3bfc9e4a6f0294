import type { Json } from "./error.ts";

/** Is it a list? `Array.isArray` does not tell read-only lists apart. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
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
