import { isMap, type JsonSchema } from "../base/json.ts";

/** A schema as it is published, whose objects take only what they name, unless they say otherwise or name nothing. */
export function strictSchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([key, value]) => {
    if (key === "properties" && isMap(value)) {
      return [
        key,
        Object.fromEntries(
          Object.entries(value).map(([name, one]) => [name, isMap(one) ? strictSchema(one) : one] as const),
        ),
      ] as const;
    }
    if (key === "items" && isMap(value)) return [key, strictSchema(value)] as const;
    return [key, value] as const;
  });
  const closed = Object.fromEntries(entries);
  return "properties" in closed && !("additionalProperties" in closed)
    ? { ...closed, additionalProperties: false }
    : closed;
}
