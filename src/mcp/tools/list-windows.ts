import type { Tool } from "../tool.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { asList, look } from "./form.ts";

/** The windows of an application. */
export const listWindows: Tool = {
  toolset: "observe",
  definition: DEFINITIONS.ax_list_windows,
  async run(args, call) {
    const { result } = await look("ax_list_windows", args, call);
    return { structured: result, log: { count: asList(result["windows"]).length } };
  },
};
