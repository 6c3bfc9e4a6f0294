import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { parse as parseYaml } from "yaml";
import { BackstepError, type Json } from "../base/error.ts";
import { FAKE_CATALOGUE } from "./_catalogue.ts";
import { asList, type JsonSchema } from "../base/json.ts";
import { asSchema } from "./json-schema.ts";
import { parseWorkflow } from "./parse.ts";
import { workflowSchema } from "./schema.ts";

const root = workflowSchema(FAKE_CATALOGUE);

/** As much of JSON Schema as the generated one uses; a keyword that is not known here fails the test. */
function valid(schema: JsonSchema, value: Json): boolean {
  return Object.entries(schema).every(([keyword, rule]) => holds(keyword, rule, schema, value));
}

const sub = (rule: Json | undefined) => asSchema(rule) ?? {};

function holds(keyword: string, rule: Json, schema: JsonSchema, value: Json): boolean {
  const map = asSchema(value);
  switch (keyword) {
    case "$schema":
    case "$defs":
    case "title":
    case "description":
    case "default":
    case "then":
      return true;
    case "$ref": {
      const name = String(rule).replace("#/$defs/", "");
      const target = asSchema(sub(root["$defs"])[name]);
      ok(target, `the reference ${rule} leads nowhere`);
      return valid(target, value);
    }
    case "type":
      return (typeof rule === "string" ? [rule] : asList(rule)).some((type) => hasType(String(type), value));
    case "enum":
      return asList(rule).includes(value);
    case "const":
      return rule === value;
    case "pattern":
      return typeof value !== "string" || new RegExp(String(rule), "u").test(value);
    case "minLength":
      return typeof value !== "string" || value.length >= Number(rule);
    case "minimum":
      return typeof value !== "number" || value >= Number(rule);
    case "maximum":
      return typeof value !== "number" || value <= Number(rule);
    case "minItems":
      return !Array.isArray(value) || value.length >= Number(rule);
    case "maxItems":
      return !Array.isArray(value) || value.length <= Number(rule);
    case "items":
      return !Array.isArray(value) || asList(value).every((item) => valid(sub(rule), item));
    case "required":
      return !map || asList(rule).every((key) => String(key) in map);
    case "properties":
      return !map || Object.entries(sub(rule)).every(([key, inner]) => {
        const found = map[key];
        return found === undefined || valid(sub(inner), found);
      });
    case "additionalProperties":
      return !map ||
        Object.entries(map).every(([key, inner]) =>
          key in sub(schema["properties"]) || (rule !== false && valid(sub(rule), inner))
        );
    case "anyOf":
      return asList(rule).some((inner) => valid(sub(inner), value));
    case "oneOf":
      return asList(rule).filter((inner) => valid(sub(inner), value)).length === 1;
    case "allOf":
      return asList(rule).every((inner) => valid(sub(inner), value));
    case "not":
      return !valid(sub(rule), value);
    case "if":
      return !valid(sub(rule), value) || valid(sub(schema["then"]), value);
    default:
      throw new Error(`unknown keyword ${keyword}`);
  }
}

function hasType(type: string, value: Json): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return asSchema(value) !== undefined;
    case "integer":
      return Number.isInteger(value);
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    default:
      throw new Error(`unknown type ${type}`);
  }
}

const step = (line: string) => `name: n\nvars: { n: 1, rows: [1] }\nsteps:\n  - ${line}\n`;

const GOOD = [
  step("click: a"),
  step("click: { target: a, count: '{{vars.n}}' }"),
  step("click: { target: { selector: a, strategy: exact } }"),
  step("wait_idle:"),
  step("savepoint: s\n  - rollback_to: s"),
  step("{ click: a, changes: { only: [a, b], include: ['{{vars.n}}'] } }"),
  step("{ press: a, id: x, timeout: 2s, retry: 1, if: { exists: b, within: 500ms }, undo: [{ press: b }] }"),
  step("{ press: a, undo: { guard: { not: { gone: b } }, steps: [] }, done_when: { equals: [1, 2] } }"),
  step("transaction: { name: t, steps: [{ click: a }] }"),
  step("{ transaction: [{ click: a }], retry: 1 }"),
  step("{ if: { target: a, title: { contains: b } }, then: [{ click: a }], else: [] }"),
  step("repeat: { times: '{{vars.n}}', steps: [] }"),
  step("for_each: { in: '{{vars.rows}}', as: row, steps: [] }"),
  step("{ tool: ax_click, args: { query: a, click_type: double }, wait_after_ms: 5, on_fail: skip }"),
  "name: n\nvars: { a: 1, b: { type: map } }\nsession: isolated\nexpect: { status: failed }\nsteps: []\n",
];

const BAD = [
  "name: n\n",
  "name: n\nstpes: []\nsteps: []\n",
  "name: n\nsession: isolatd\nsteps: []\n",
  "name: n\nvars: { a: { typ: string } }\nsteps: []\n",
  step("clik: a"),
  step("{ click: a, press: b }"),
  step("{ click: a, retyr: 2 }"),
  step("{ id: a }"),
  step("set: a"),
  step("set: { target: a }"),
  step("click: { target: a, button: rihgt }"),
  step("click: { target: a, cuont: 2 }"),
  step("click:"),
  step("{ if: { exsits: a }, then: [] }"),
  step("repeat: { steps: [] }"),
  step("{ repeat: { times: 1, steps: [] }, retry: 1 }"),
  step("{ for_each: { in: [], as: x, steps: [] }, retry: 1 }"),
  step("{ if: { exists: a }, then: [], retry: 1 }"),
  step("for_each: { in: abc, as: row, steps: [] }"),
  step("{ tool: ax_click, args: { qurey: a } }"),
  step("{ tool: ax_clik }"),
];

for (const [sources, expected] of [[GOOD, true], [BAD, false]] as const) {
  for (const source of sources) {
    Deno.test(`the schema and the parser ${expected ? "accept" : "refuse"} ${JSON.stringify(source)}`, () => {
      const document: Json = JSON.parse(JSON.stringify(parseYaml(source)));
      let parsed = true;
      try {
        parseWorkflow(source, { file: "s.yaml", operations: FAKE_CATALOGUE });
      } catch (error) {
        if (!(error instanceof BackstepError)) throw error;
        parsed = false;
      }
      deepStrictEqual({ schema: valid(root, document), parsed }, { schema: expected, parsed: expected });
    });
  }
}

Deno.test("editors see what each verb and key is for", () => {
  const properties = sub(sub(sub(root["$defs"])["step"])["properties"]);
  equal(sub(properties["click"])["description"], "Clicks an element.");
  for (const [key, schema] of Object.entries(properties)) {
    ok(sub(schema)["description"], `${key} has no description`);
  }
  for (const [key, schema] of Object.entries(sub(root["properties"]))) {
    ok(sub(schema)["description"], `${key} has no description`);
  }
});
