import type { Json } from "../base/error.ts";
import { asList, isMap, type JsonSchema } from "../base/json.ts";
import type { Schema } from "../contract/schema.ts";

const made = new WeakMap<Schema<unknown>, JsonSchema>();

/** The JSON Schema (2020-12) of what a zod schema takes; made once for each. */
export function jsonSchemaOf(schema: Schema<unknown>): JsonSchema {
  const existing = made.get(schema);
  if (existing) return existing;
  const json: Json = JSON.parse(
    JSON.stringify(schema.toJSONSchema({ io: "input", unrepresentable: "any" })),
  );
  const { $schema: _, ...rest } = asSchema(json) ?? {};
  made.set(schema, rest);
  return rest;
}

/** A JSON value as a map, when it is one. */
export function asSchema(value: Json | undefined): JsonSchema | undefined {
  return isMap(value) ? value : undefined;
}

/** The schemas that may hold at `path`: through `$ref`, `anyOf`, `oneOf` and `allOf`. */
export function schemasAt(root: JsonSchema, path: readonly PropertyKey[]): JsonSchema[] {
  let at = alternatives(root, root, 0);
  for (const segment of path) {
    at = at.flatMap((schema) => {
      const inner = typeof segment === "number"
        ? asSchema(schema["items"])
        : asSchema(asSchema(schema["properties"])?.[String(segment)]);
      return inner ? alternatives(root, inner, 0) : [];
    });
  }
  return at;
}

/** The keys that a map at `path` may have. */
export function keysAt(root: JsonSchema, path: readonly PropertyKey[]): string[] {
  const keys = schemasAt(root, path).flatMap((schema) => Object.keys(asSchema(schema["properties"]) ?? {}));
  return [...new Set(keys)];
}

function alternatives(root: JsonSchema, schema: JsonSchema, depth: number): JsonSchema[] {
  if (depth > 16) return [];
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const target = resolve(root, reference);
    return target ? alternatives(root, target, depth + 1) : [];
  }
  const nested = ["anyOf", "oneOf", "allOf"].flatMap((key) => asList(schema[key]));
  return [
    schema,
    ...nested.flatMap((inner) => {
      const found = asSchema(inner);
      return found ? alternatives(root, found, depth + 1) : [];
    }),
  ];
}

function resolve(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let at: JsonSchema | undefined = root;
  for (const segment of reference.slice(2).split("/")) {
    at = asSchema(at?.[segment.replaceAll("~1", "/").replaceAll("~0", "~")]);
  }
  return at;
}
