import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { clicks, target } from "../inputs.ts";
import { ACTED, APP, CLICK_TYPE, MODE, QUERY, WHICH, WRITES } from "../parts.ts";
import { done } from "../results.ts";
import { clickTypeOf, modeOf, queryOf } from "../wording.ts";

/** Clicks an element. */
export const axClick = defineTool({
  name: "ax_click",
  title: "Click UI element",
  description:
    "Clicks an element: through its accessible action where it has one; with the pointer only with mode: focus. Waits " +
    "until it can be clicked; several matches are an error that lists them.",
  inputSchema: {
    type: "object",
    properties: { app: APP, query: QUERY, click_type: CLICK_TYPE, mode: MODE, ...WHICH },
    required: ["app", "query"],
  },
  outputSchema: ACTED,
  annotations: WRITES,
  toolset: "action",
  ours: { input: ["nth", "within"] },
  step: {
    kind: "operation",
    operation: "click",
    literal: ["click_type", "mode"],
    toInput: ({ click_type, mode, ...args }) =>
      defined({
        target: target(args),
        ...clicks(click_type),
        background: mode === "focus" ? undefined : true,
      }),
    toArguments: ({ target, ...input }) => ({ ...queryOf(target), ...clickTypeOf(input), ...modeOf(input) }),
    toResult: done("click"),
  },
});
