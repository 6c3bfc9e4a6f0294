import type { Tool } from "../tool.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { look } from "./form.ts";

/** Milliseconds that an element may take to appear. */
const PATIENCE = 3_000;

/** Tells everything that is known of an element. */
export const getAttributes: Tool = {
  toolset: "find",
  definition: DEFINITIONS.ax_get_attributes,
  async run(args, call) {
    const { result } = await look("ax_get_attributes", args, call, { timeout: PATIENCE });
    return { structured: result, log: { found: true } };
  },
};
