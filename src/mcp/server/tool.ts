import type { Json } from "../../base/error.ts";
import type { ToolArguments, ToolDefinition, Toolset, ToolTraits } from "../../tools/tool.ts";
import type { McpCall } from "./call.ts";
import type { Content } from "./wire.ts";

/** What a tool answers. The text form of `structured` is added by the dispatch, and the mark that it is data. */
export interface ToolAnswer {
  /** As the output schema says; absent for tools without one that answer only pictures or text. */
  readonly structured?: { readonly [key: string]: Json };
  /** Beside it: pictures, outlines, links. */
  readonly content?: readonly Content[];
  /** What the log line of the call says beside tool, app, query and duration: `strategy`, `found`, `cache_hit`… */
  readonly log?: { readonly [key: string]: Json };
}

/** A tool as it is served: its definition, and what it does. A failure is thrown, as a `BackstepError` or a `ToolFailure`. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly toolset: Toolset;
  readonly traits?: ToolTraits;
  run(args: ToolArguments, call: McpCall): Promise<ToolAnswer>;
}
