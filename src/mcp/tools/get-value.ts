import type { Tool } from "../tool.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { look } from "./form.ts";

/** Reads what an element holds: of several the first one's, without waiting for any. */
export const getValue: Tool = {
  toolset: "observe",
  definition: DEFINITIONS.ax_get_value,
  async run(args, call) {
    const { result: first } = await look("ax_find", args, call);
    const { found = false, strategy = "", count = 0, app = "", element_ref: ref } = first;
    const log = { strategy, found, cache_hit: false };
    if (found !== true || typeof ref !== "string") return { structured: { found: false, app, count }, log };
    const { nth: _, within: __, ...rest } = args;
    const { result } = await look("ax_get_value", { ...rest, query: ref }, call);
    return { structured: { ...result, count }, log };
  },
};
