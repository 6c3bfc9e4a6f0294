import type { Json } from "../../../base/error.ts";

/**
 * The one place that knows the names on the disk: journals keep the names that they always had, and the model of them
 * uses the words of the rest of the program. Each pair is a name of the model and its name on the disk.
 */
const KINDS = [
  ["action-begin", "intent"],
  ["action-renewed", "intent-renewed"],
  ["action-end", "outcome"],
] as const;

/** Of records and of what is encrypted in them. */
const FIELDS = [
  ["begin", "intent"],
  ["undoLog", "ledger"],
  ["encrypted", "sealed"],
  ["beforeImages", "before"],
  ["afterImages", "after"],
] as const;

/** Both ways: a name of the model is as unknown on the disk as a name of the disk is in the model. */
const OTHER_KIND = bothWays(KINDS);
const OTHER_FIELD = bothWays(FIELDS);

type Fields = { readonly [field: string]: Json };

/** The fields of a line, or of what is encrypted in it, under their other names: from the disk to the model, and back. */
export function otherNames(fields: Fields): Fields {
  const renamed: Record<string, Json> = {};
  for (const key in fields) {
    const value = fields[key] ?? null;
    renamed[otherField(key)] = key === "kind" && typeof value === "string" ? otherKind(value) : value;
  }
  return renamed;
}

/** The other name of one field. */
export function otherField(name: string): string {
  return OTHER_FIELD.get(name) ?? name;
}

/** The other name of one kind. */
export function otherKind(name: string): string {
  return OTHER_KIND.get(name) ?? name;
}

function bothWays(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(pairs.flatMap(([a, b]) => [[a, b], [b, a]] as const));
}
