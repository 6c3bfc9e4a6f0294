import type { Tool } from "../tool.ts";

/** Every tool, in the order in which `tools/list` tells them. */
export const tools: readonly Tool[] = [];
