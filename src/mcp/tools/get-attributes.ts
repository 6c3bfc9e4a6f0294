import type { Tool } from "../tool.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { asMap, look } from "./form.ts";

/** Tells everything that is known of an element: of several the first one, without waiting for any. */
export const getAttributes: Tool = {
  toolset: "find",
  definition: DEFINITIONS.ax_get_attributes,
  async run(args, call) {
    const { result: first } = await look("ax_find", args, call, {
      input: (input) => ({ ...asMap(input), required: true }),
    });
    const { element_ref: ref = "", strategy = "", count = 0 } = first;
    const { app = "" } = args;
    const { result } = await look("ax_get_attributes", { app, query: ref }, call);
    return { structured: { ...result, element_ref: ref, count }, log: { strategy, found: true } };
  },
};
