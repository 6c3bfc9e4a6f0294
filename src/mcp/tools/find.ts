import type { Tool } from "../tool.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { look } from "./form.ts";

/** Finds an element as it is now. */
export const find: Tool = {
  toolset: "find",
  definition: DEFINITIONS.ax_find,
  async run(args, call) {
    call.progress("Searching accessibility tree", 1, 2);
    const { result } = await look("ax_find", args, call);
    const { found = false, strategy = "", count = 0 } = result;
    call.progress(found === true ? "Element found" : "No element found", 2, 2);
    return { structured: result, log: { strategy, found, count, cache_hit: false } };
  },
};
