import type { Json } from "../base/error.ts";
import type { McpCall } from "./call.ts";
import type { Content, JsonSchema } from "./wire.ts";

/** What a client should know of a tool before it decides (MCP tool annotations). */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Groups that `--toolsets` chooses from. */
export const TOOLSETS = [
  "connect",
  "find",
  "action",
  "observe",
  "compose",
  "assert",
  "context",
  "script",
  "launch",
  "explore",
] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** A tool as `tools/list` tells it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolHints;
  readonly execution?: { readonly taskSupport: "optional" };
}

/** The arguments of a call, checked against the tool's input schema. */
export type ToolArguments = { readonly [name: string]: Json };

/** What a tool answers. The text form of `structured` is added by the dispatch, and the mark that it is data. */
export interface ToolAnswer {
  /** As the output schema says; absent for tools without one that answer only pictures or text. */
  readonly structured?: { readonly [key: string]: Json };
  /** Beside it: pictures, outlines, links. */
  readonly content?: readonly Content[];
  /** What the log line of the call says beside tool, app, query and duration: `strategy`, `found`, `cache_hit`… */
  readonly log?: { readonly [key: string]: Json };
}

/** A tool: its definition, and what it does. A failure is thrown, as a `BackstepError` or a `ToolFailure`. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly toolset: Toolset;
  run(args: ToolArguments, call: McpCall): Promise<ToolAnswer>;
}
