import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { clicks } from "../inputs.ts";
import { ACTED, CLICK_TYPE, WRITES } from "../parts.ts";
import { done } from "../results.ts";
import { clickTypeOf } from "../wording.ts";

/** Clicks at a place of the screen. */
export const axClickAt = defineTool({
  name: "ax_click_at",
  title: "Click at screen coordinates",
  description: "Clicks with the pointer at a place of the screen, whatever lies there. Prefer ax_click.",
  inputSchema: {
    type: "object",
    properties: { x: { type: "integer" }, y: { type: "integer" }, click_type: CLICK_TYPE },
    required: ["x", "y"],
  },
  outputSchema: ACTED,
  annotations: WRITES,
  toolset: "action",
  step: {
    kind: "operation",
    operation: "click-at",
    literal: ["click_type"],
    toInput: ({ x, y, click_type }) => defined({ x, y, ...clicks(click_type) }),
    toArguments: ({ x, y, ...input }) => defined({ x, y, ...clickTypeOf(input) }),
    toResult: done("click_at"),
  },
});
