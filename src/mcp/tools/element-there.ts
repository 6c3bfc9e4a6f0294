import type { Json } from "../../base/error.ts";
import type { McpCall } from "../call.ts";
import { look } from "./form.ts";

/** Milliseconds that an element may take to appear, for who only looks at it. */
export const APPEARING = 3_000;

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
  await look("ax_get_attributes", { app, query }, call, { timeout: APPEARING });
}
