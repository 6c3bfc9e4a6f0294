import type { Json } from "../../base/error.ts";
import { axGetAttributes } from "../../tools/find/get-attributes.ts";
import type { McpCall } from "../server/call.ts";
import { look } from "./look.ts";

/** Milliseconds that an element may take to appear, for who only looks at it. */
const APPEARING = 3_000;

/**
 * Waits shortly until the element that a tool is asked to look at is there. The operations themselves wait for it as long as
 * they may take in all: an audit would answer a misspelt query after a minute, when its client has given up.
 */
export async function elementThere(
  app: Json | undefined,
  query: Json | undefined,
  call: McpCall,
): Promise<void> {
  if (typeof app !== "string" || typeof query !== "string") return;
  await look(axGetAttributes, { app, query }, call, { timeout: APPEARING });
}
