import type { Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Operation } from "../contract/operation.ts";
import { asList, type JsonSchema } from "../base/json.ts";
import { TOOLS } from "../tools/all.ts";
import { argumentsOf } from "../tools/arguments.ts";
import { asSchema, jsonSchemaOf } from "./json-schema.ts";
import { KEYS_OF_STEP, TOP_LEVEL } from "./schema-parts.ts";
import { Verbs } from "./verbs.ts";

/**
 * The JSON Schema (2020-12) of workflow files, from which editors complete, describe and check. What depends on
 * another part of the file (ids, placeholders, variables) only the parser checks.
 *
 * @example
 * ```ts
 * import { workflowSchema } from "./schema.ts";
 * if (workflowSchema([])["title"] !== "Backstep workflow") throw new Error();
 * ```
 */
export function workflowSchema(operations: Iterable<Operation>): JsonSchema {
  const verbs = new Verbs(operations);
  const defs: Record<string, Json> = {};
  const inputs: Record<string, Json> = {};
  for (const [verb, operation] of verbs.entries()) inputs[verb] = inputOf(verb, operation, defs);
  const tools = TOOLS.filter(({ step }) =>
    step !== undefined && (step.kind !== "operation" || verbs.named(step.operation))
  );
  const assertion = verbs.with("condition");
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Backstep workflow",
    description: "Steps that drive an application, and can be rolled back.",
    ...TOP_LEVEL,
    $defs: {
      placeholder: {
        type: "string",
        pattern: "\\{\\{.+\\}\\}",
        description:
          "{{vars.x}}, {{item.x}}, {{steps.id.field}}, {{step_1.field}}, {{env.X}} or {{secrets.X}}.",
      },
      duration: {
        description: 'Milliseconds, or a text such as "500ms", "10s", "2m".',
        anyOf: [{ type: "number", minimum: 0 }, {
          type: "string",
          pattern: "^\\d+(\\.\\d+)?\\s?(ms|s|m|h)$",
        }],
      },
      steps: { type: "array", items: { $ref: "#/$defs/step" } },
      step: {
        type: "object",
        additionalProperties: false,
        properties: {
          ...KEYS_OF_STEP,
          ...inputs,
          tool: {
            enum: tools.map(({ name }) => name),
            description: "A tool of the tool specification, in its raw form.",
          },
        },
        oneOf: [
          ...[
            ...Object.keys(inputs),
            "transaction",
            "savepoint",
            "rollback_to",
            "reject",
            "repeat",
            "for_each",
            "run",
            "tool",
          ].map((verb) => ({
            required: [verb],
          })),
          { required: ["if"], anyOf: [{ required: ["then"] }, { required: ["else"] }] },
        ],
        allOf: [
          {
            if: {
              anyOf: ["then", "else", "repeat", "for_each", "run", "savepoint", "rollback_to", "reject"].map((
                key,
              ) => ({
                required: [key],
              })),
            },
            then: { not: { required: ["retry"] } },
          },
          ...tools.map((tool) => ({
            if: { properties: { tool: { const: tool.name } }, required: ["tool"] },
            then: { properties: { args: embed(`args_${tool.name}`, jsonSchemaOf(argumentsOf(tool)), defs) } },
          })),
        ],
      },
      condition: conditionOf(assertion, defs),
      ...defs,
    },
  };
}

function inputOf(verb: string, operation: Operation, defs: Record<string, Json>): Json {
  const input = embed(`input_${verb}`, jsonSchemaOf(operation.inputSchema), defs);
  const forms: Json[] = [input];
  if (operation.views.yaml?.scalar) forms.push({ type: ["string", "number", "boolean"] });
  if (asList(jsonSchemaOf(operation.inputSchema)["required"]).length === 0) forms.push({ type: "null" });
  return { description: operation.description, anyOf: forms };
}

function conditionOf(assertion: Operation | undefined, defs: Record<string, Json>): Json {
  const input = assertion ? jsonSchemaOf(assertion.inputSchema) : { type: "object" };
  const properties = asSchema(input["properties"]) ?? {};
  const target = asSchema(properties["target"]) ?? { type: "string" };
  const within = { $ref: "#/$defs/duration" };
  const presence = (key: string) => ({
    type: "object",
    properties: { [key]: embed(`condition_${key}`, target, defs), within },
    required: [key],
    additionalProperties: false,
  });
  const asserted = embed("condition_assert", { ...input, properties: { ...properties, within: {} } }, defs);
  return {
    description: "Something that holds or does not, now or `within` a while.",
    anyOf: [
      presence("exists"),
      presence("gone"),
      {
        type: "object",
        properties: { equals: { type: "array", minItems: 2, maxItems: 2 } },
        required: ["equals"],
        additionalProperties: false,
      },
      {
        type: "object",
        properties: { not: { $ref: "#/$defs/condition" } },
        required: ["not"],
        additionalProperties: false,
      },
      { allOf: [asserted, { anyOf: [{ required: ["target"] }, { required: ["file"] }] }] },
    ],
  };
}

/** A schema with placeholders let in, under its own name in `$defs`, so that its references stay whole. */
function embed(name: string, schema: JsonSchema, defs: Record<string, Json>): Json {
  const { $defs, ...rest } = schema;
  const rename = (reference: string) =>
    reference === "#" ? `#/$defs/${name}` : reference.replace(/^#\/\$defs\//, `#/$defs/${name}_`);
  for (const [key, value] of Object.entries(asSchema($defs) ?? {})) {
    defs[`${name}_${key}`] = loosen(asSchema(value) ?? {}, rename);
  }
  defs[name] = inside(rest, rename);
  return { $ref: `#/$defs/${name}` };
}

/** The schema, or a placeholder where a text is not welcome anyway. */
function loosen(schema: JsonSchema, rename: (reference: string) => string): Json {
  const inner = inside(schema, rename);
  if (takesText(inner)) return inner;
  const { description, ...rest } = inner;
  return {
    ...defined({ description }),
    anyOf: [rest, { $ref: "#/$defs/placeholder" }],
  };
}

function inside(schema: JsonSchema, rename: (reference: string) => string): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]): [string, Json] => {
      const map = asSchema(value);
      if (key === "$ref" && typeof value === "string") return [key, rename(value)];
      if (key === "properties" && map) {
        return [
          key,
          Object.fromEntries(Object.entries(map).map(([k, v]) => [k, loosen(asSchema(v) ?? {}, rename)])),
        ];
      }
      if ((key === "items" || key === "additionalProperties") && map) return [key, loosen(map, rename)];
      if (key === "anyOf" || key === "oneOf" || key === "allOf") {
        return [key, asList(value).map((v) => inside(asSchema(v) ?? {}, rename))];
      }
      return [key, value];
    }),
  );
}

function takesText(schema: JsonSchema): boolean {
  const forms = [...asList(schema["anyOf"]), ...asList(schema["oneOf"])];
  if (forms.length > 0) return forms.some((form) => takesText(asSchema(form) ?? {}));
  if (["enum", "const", "pattern", "format", "$ref"].some((key) => key in schema)) return false;
  return schema["type"] === undefined || schema["type"] === "string";
}
