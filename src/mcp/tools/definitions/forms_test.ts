import assert from "node:assert/strict";
import { z } from "zod";
import { COMPOSING_TOOLS } from "../../../workflow/composing-tools.ts";
import { TOOLS } from "../../../workflow/tools.ts";
import type { ToolDefinition } from "../../tool.ts";
import { DEFINITIONS } from "./mod.ts";

const definitions: Readonly<Record<string, ToolDefinition>> = DEFINITIONS;
const Properties = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

for (const [name, form] of [...Object.entries(TOOLS), ...Object.entries(COMPOSING_TOOLS)]) {
  Deno.test(`${name} takes the same arguments in a file and from a client`, () => {
    const listed = Properties.parse(definitions[name]?.inputSchema).properties ?? {};
    const taken = Properties.parse(z.toJSONSchema(form.args, { io: "input" })).properties ?? {};
    assert.deepEqual(Object.keys(taken).sort(), Object.keys(listed).sort());
  });
}
