import { z } from "zod";
import { asList, asMap, isMap, type JsonSchema } from "../base/json.ts";
import type { Json } from "../base/error.ts";
import { strictSchema } from "./strict-schema.ts";
import type { ToolView } from "./tool.ts";

const made = new WeakMap<ToolView, z.ZodType>();

/**
 * What a tool takes in a file, and what the server holds its arguments to once they fit what is published: the published
 * schema, strictly, with what the tool amends. A file may leave out the application: it has a default for it.
 */
export function argumentsOf(tool: ToolView): z.ZodType {
  const existing = made.get(tool) ?? z.fromJSONSchema(inFiles(tool));
  made.set(tool, existing);
  return existing;
}

function inFiles({ definition: { inputSchema }, step }: ToolView): JsonSchema {
  const required = asList(inputSchema["required"]).filter((name) => name !== "app");
  const amended = merged(asMap(inputSchema["properties"]), step?.amends ?? {});
  const properties = Object.entries(amended).map(([name, schema]): [string, Json] => {
    // The server fills defaults in; what a file leaves out, its operation decides.
    const { default: _, ...rest } = asMap(schema);
    return [name, name === "app" ? merged(rest, APP) : rest];
  });
  return strictSchema({ ...inputSchema, properties: Object.fromEntries(properties), required });
}

/** A file knows its applications by their own names: none is connected. */
const APP = { description: "Application name or id; default: the workflow's" };

/** Maps are merged, of everything else the second counts. */
function merged(schema: JsonSchema, more: JsonSchema): JsonSchema {
  const entries = Object.entries(more).map(([key, value]): [string, Json] => {
    const before = schema[key];
    return [key, isMap(before) && isMap(value) ? merged(before, value) : value];
  });
  return { ...schema, ...Object.fromEntries(entries) };
}
