import type { Json } from "./error.ts";

/** Is it a list? `Array.isArray` does not tell read-only lists apart. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Is it a map, neither a list nor nothing? */
export function isMap(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
