import { z } from "zod";
import { closest } from "../../base/closest.ts";
import type { Json } from "../../base/error.ts";
import { isMap, type JsonSchema } from "../../base/json.ts";
import { strictSchema } from "../../tools/strict-schema.ts";

/** What is wrong with a value, and where. */
export interface Issue {
  /** "steps.0.tool"; "" for the whole. */
  readonly path: string;
  readonly message: string;
}

/** More faults than these are not told. */
const MOST = 10;
const made = new WeakMap<JsonSchema, z.ZodType>();

/**
 * Checks a value against a schema as it is published, but strictly: what an object with named properties does not name is a
 * fault too. Answers the value with the schema's defaults, or what is wrong with it.
 */
export function checked(
  schema: JsonSchema,
  value: unknown,
): { readonly value: { readonly [key: string]: Json } } | { readonly issues: readonly Issue[] } {
  const existing = made.get(schema) ?? z.fromJSONSchema(strictSchema(schema));
  made.set(schema, existing);
  const parsed = existing.safeParse(value);
  if (!parsed.success) {
    return { issues: parsed.error.issues.flatMap((issue) => reported(issue, schema)).slice(0, MOST) };
  }
  const map = record.safeParse(parsed.data);
  return map.success ? { value: map.data } : { issues: [{ path: "", message: "it must be an object" }] };
}

const record = z.record(z.string(), z.custom<Json>(() => true));

function reported(issue: z.core.$ZodIssue, schema: JsonSchema): Issue[] {
  const path = issue.path.map(String).join(".").slice(0, 200);
  if (issue.code !== "unrecognized_keys") return [{ path, message: said(issue.message) }];
  const names = namesAt(schema, issue.path);
  return issue.keys.slice(0, MOST).map((key) => {
    const near = closest(key, names);
    const hint = near.length > 0
      ? `did you mean ${near.join(" or ")}?`
      : names.length > 0
      ? `there is: ${names.join(", ")}`
      : "it takes none";
    return {
      path: [...issue.path.map(String), key].join(".").slice(0, 200),
      message: `unknown property: ${hint}`,
    };
  });
}

function said(message: string): string {
  const plain = message.replace(/^Invalid (input|option): /, "");
  return plain.replace(/^(.*), received undefined$/, "it is missing: $1").slice(0, 300);
}

/** The properties that a schema names at a place. */
function namesAt(schema: JsonSchema, path: readonly PropertyKey[]): string[] {
  let here: Json | undefined = schema;
  for (const key of path) {
    if (here === undefined || !isMap(here)) return [];
    const properties: Json | undefined = here["properties"];
    here = typeof key === "number"
      ? here["items"]
      : isMap(properties ?? null) && isMap(properties)
      ? properties[String(key)]
      : undefined;
  }
  const properties = here !== undefined && isMap(here) ? here["properties"] : undefined;
  return properties !== undefined && isMap(properties) ? Object.keys(properties) : [];
}
