import type { Json } from "../base/error.ts";
import type { Content } from "./wire.ts";

/** A tool's result as the protocol carries it. */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: { readonly [key: string]: Json };
  readonly isError?: boolean;
}
