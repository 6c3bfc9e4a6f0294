import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Json } from "../base/error.ts";
import { isList, isMap } from "../base/json.ts";
import { toolNamed, TOOLS } from "./all.ts";

interface Published {
  readonly name: string;
  readonly title: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
  readonly annotations: Json;
  readonly execution?: Json;
}

const published: readonly Published[] = JSON.parse(
  readFileSync(new URL("../../tests/published-tools.json", import.meta.url), "utf8"),
);

/** A schema without what is meant for reading. */
function bare(schema: Json): Json {
  if (isList(schema)) return schema.map(bare);
  if (!isMap(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
      if (key === "description" && typeof value === "string") return [];
      if (key !== "properties" || !isMap(value)) return [[key, bare(value)]];
      return [[key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bare(one)]))]];
    }),
  );
}

/** Every property of a schema by its way there, and the rest of the schema without them. */
function properties(schema: Json, place = "", found = new Map<string, Json>()): Map<string, Json> {
  if (!isMap(schema)) return found;
  if (schema["items"] !== undefined) properties(schema["items"], `${place}[]`, found);
  const own = schema["properties"];
  for (const [name, one] of isMap(own ?? null) ? Object.entries(own ?? {}) : []) {
    const way = place === "" ? name : `${place}.${name}`;
    found.set(way, without(one));
    properties(one, way, found);
  }
  return found;
}

function without(schema: Json): Json {
  if (!isMap(schema)) return schema;
  const { properties: _, items, ...rest } = schema;
  return items === undefined ? rest : { ...rest, items: without(items) };
}

function compare(given: Json | undefined, ours: Json | undefined, added: readonly string[]) {
  if (given === undefined) {
    assert.equal(ours, undefined);
    return;
  }
  assert.deepEqual(without(bare(ours ?? null)), without(given));
  const [theirs, all] = [properties(given), properties(bare(ours ?? null))];
  for (const [way, schema] of theirs) assert.deepEqual(all.get(way), schema, way);
  assert.deepEqual([...all.keys()].filter((way) => !theirs.has(way)).sort(), [...added].sort());
}

Deno.test("the 26 published tools stand first, in their order", () => {
  assert.equal(published.length, 26);
  assert.deepEqual(TOOLS.slice(0, 26).map(({ name }) => name), published.map(({ name }) => name));
});

for (const tool of published) {
  Deno.test(`${tool.name} is as it was published, but for what is listed as ours`, () => {
    const view = toolNamed(tool.name);
    assert.ok(view);
    const ours = view.definition;
    const { name, title, annotations, execution = null, inputSchema, outputSchema } = ours;
    assert.deepEqual(
      { name, title, annotations, execution },
      {
        name: tool.name,
        title: tool.title,
        annotations: tool.annotations,
        execution: tool.execution ?? null,
      },
    );
    compare(tool.inputSchema, inputSchema, view.ours?.input ?? []);
    // Section 3.3 wants an output schema of every tool with structured content; not all were published with one.
    if (tool.outputSchema !== undefined) {
      compare(tool.outputSchema, outputSchema, view.ours?.output ?? []);
    }
  });
}

Deno.test("what is ours is optional, and described", () => {
  for (const { name, definition: tool, ours = {} } of TOOLS) {
    const { input = [], output = [] } = ours;
    for (const [schema, ways] of [[tool.inputSchema, input], [tool.outputSchema ?? {}, output]] as const) {
      const required = schema["required"];
      const all = new Map<string, Json>();
      const collect = (node: Json, place: string) => {
        if (!isMap(node)) return;
        collect(node["items"] ?? null, `${place}[]`);
        const own = node["properties"] ?? null;
        for (const [key, one] of isMap(own) ? Object.entries(own) : []) {
          all.set(place === "" ? key : `${place}.${key}`, one);
          collect(one, place === "" ? key : `${place}.${key}`);
        }
      };
      collect(schema, "");
      for (const way of ways) {
        const one = all.get(way) ?? null;
        assert.ok(isMap(one), `${name}: ${way}`);
        assert.ok(!(isList(required) && required.includes(way)), `${name}: ${way}`);
        assert.equal(typeof one["description"], "string", `${name}: ${way}`);
      }
    }
  }
});

Deno.test("exactly seven tools may run as tasks, and every tool says what it does", () => {
  const all = TOOLS.map(({ definition }) => definition);
  const tasks = all.filter(({ execution }) => execution !== undefined);
  assert.deepEqual(tasks.map(({ name }) => name), [
    "ax_find_visual",
    "ax_get_tree",
    "ax_wait_idle",
    "ax_workflow",
    "ax_visual_diff",
    "ax_a11y_audit",
    "ax_run_script",
  ]);
  for (const { name, description } of all) {
    assert.ok(description.length > 30 && description.length < 400, name);
  }
});
