import assert from "node:assert/strict";
import type { Json } from "../../base/error.ts";
import type { Fixture } from "../session/_host.ts";
import type { ToolResult } from "../server/dispatch.ts";

/** Arguments of a tool, and what it answered, for tests. */
export type Map = { readonly [key: string]: Json };

/** Connects to the settings form as "S". */
export async function connected({ tool }: Fixture, app = "sim.settings", alias = "S"): Promise<void> {
  assert.equal((await tool("ax_connect", { app, alias })).isError, undefined);
}

/** What a tool answered that did not fail. */
export async function answer(desk: Fixture, name: string, args: Map): Promise<Map> {
  const result = await desk.tool(name, args);
  assert.equal(result.isError, undefined, JSON.stringify(result.content).slice(0, 2_000));
  return result.structuredContent ?? {};
}

/** The error that a tool answered. */
export async function failure(desk: Fixture, name: string, args: Map): Promise<Map> {
  const result = await desk.tool(name, args);
  assert.equal(result.isError, true, JSON.stringify(result.structuredContent));
  return errorOf(result);
}

/** The error in a result, as its second text has it. */
export function errorOf({ content }: ToolResult): Map {
  const [, second] = content;
  const json: { readonly error?: Map } = JSON.parse(second?.type === "text" ? second.text : "{}");
  return json.error ?? {};
}
