import { closest } from "../base/closest.ts";
import type { Json } from "../base/error.ts";
import { isList, isMap } from "../base/json.ts";
import type { Schema, SchemaIssue } from "../contract/schema.ts";

/** What a schema finds wrong with a value, freed from the validator's own vocabulary. */
export type Finding =
  & { readonly path: readonly PropertyKey[] }
  & (
    | { readonly kind: "unknown"; readonly key: string }
    | { readonly kind: "missing"; readonly key: string }
    | { readonly kind: "type"; readonly expected: readonly string[] }
    | { readonly kind: "choice"; readonly values: readonly string[] }
    | { readonly kind: "other"; readonly message: string }
  );

/**
 * Validates `value`. What lies at or below a hole (where a placeholder stands) is not known yet and is passed over; of
 * a union, the alternative that comes nearest speaks.
 */
export function findings(
  schema: Schema<unknown>,
  value: Json,
  holes: readonly (readonly PropertyKey[])[],
): Finding[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return withoutMisspelt(parsed.error.issues.flatMap((issue) => judge(issue, [], value, holes)));
}

function judge(
  issue: SchemaIssue,
  prefix: readonly PropertyKey[],
  value: Json,
  holes: readonly (readonly PropertyKey[])[],
): Finding[] {
  const path = [...prefix, ...issue.path];
  if (holes.some((hole) => startsWith(path, hole))) return [];
  switch (issue.code) {
    case "unrecognized_keys":
      return (issue.keys ?? []).map((key) => ({ kind: "unknown", path, key }));
    case "invalid_type":
    case "invalid_value": {
      const last = path.at(-1);
      if (last !== undefined && at(value, path) === undefined && isMap(at(value, path.slice(0, -1)))) {
        return [{ kind: "missing", path: path.slice(0, -1), key: String(last) }];
      }
      return issue.code === "invalid_type"
        ? [{ kind: "type", path, expected: issue.expected === undefined ? [] : [issue.expected] }]
        : [{ kind: "choice", path, values: (issue.values ?? []).map(quoted) }];
    }
    case "invalid_union":
      return best(
        (issue.errors ?? []).map((errors) => errors.flatMap((e) => judge(e, path, value, holes))),
        path,
        value,
      );
    default:
      return [{ kind: "other", path, message: issue.message.replace(/^Invalid input: /, "") }];
  }
}

function best(alternatives: readonly Finding[][], path: readonly PropertyKey[], value: Json): Finding[] {
  if (alternatives.some((found) => found.length === 0)) return [];
  const here = (finding: Finding) => finding.path.length === path.length;
  const mismatch = (found: Finding[]) => found.some((f) => f.kind === "type" && here(f));
  const fitting = alternatives.filter((found) => !mismatch(found)).map((found) => withoutMisspelt(found))
    .sort((a, b) => a.length - b.length);
  const choices = fitting.flatMap((found) =>
    found.flatMap((f) => f.kind === "choice" && here(f) ? f.values : [])
  );
  if (choices.length > 0) return [{ kind: "choice", path, values: [...new Set(choices)] }];
  if (fitting[0]) return fitting[0];
  const last = path.at(-1);
  if (last !== undefined && at(value, path) === undefined) {
    return [{ kind: "missing", path: path.slice(0, -1), key: String(last) }];
  }
  const expected = alternatives.flatMap((found) =>
    found.flatMap((f) => f.kind === "type" && here(f) ? f.expected : [])
  );
  if (expected.length === 0) return [{ kind: "other", path, message: "the value does not fit" }];
  return [{ kind: "type", path, expected: [...new Set(expected)] }];
}

/** A misspelt key is missing too, and upsets what the whole map must be; saying so once is enough. */
function withoutMisspelt(found: readonly Finding[]): Finding[] {
  const unknown = found.filter((finding) => finding.kind === "unknown");
  return found.filter((f) => {
    const beside = unknown.filter(({ path }) => path.join() === f.path.join());
    if (f.kind === "other") return beside.length === 0;
    return f.kind !== "missing" || !beside.some(({ key }) => closest(key, [f.key]).length > 0);
  });
}

function quoted(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function startsWith(path: readonly PropertyKey[], prefix: readonly PropertyKey[]): boolean {
  return prefix.length <= path.length && prefix.every((segment, i) => segment === path[i]);
}

/** The value at `path`; undefined where there is none. */
export function at(value: Json | undefined, path: readonly PropertyKey[]): Json | undefined {
  let found: Json | undefined = value;
  for (const segment of path) {
    if (isList(found)) found = found[Number(segment)];
    else if (isMap(found)) found = Object.hasOwn(found, String(segment)) ? found[String(segment)] : undefined;
    else return undefined;
  }
  return found;
}
