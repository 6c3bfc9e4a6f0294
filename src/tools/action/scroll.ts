import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { elementOrApp } from "../inputs.ts";
import { ACTED, APP, WHICH, WRITES } from "../parts.ts";
import { done } from "../results.ts";
import { queryOrApp } from "../wording.ts";

/** Scrolls. */
export const axScroll = defineTool({
  name: "ax_scroll",
  title: "Scroll within element",
  description: "Scrolls what holds an element, or the window in front, and tells whether anything moved.",
  inputSchema: {
    type: "object",
    properties: {
      app: APP,
      query: { type: "string", description: "The element to scroll in; without it, the window in front" },
      direction: { type: "string", enum: ["up", "down", "left", "right"] },
      amount: { type: "integer", description: "Pixels (default: 100)", default: 100 },
      ...WHICH,
    },
    required: ["app", "direction"],
  },
  outputSchema: ACTED,
  annotations: { ...WRITES, destructiveHint: false },
  toolset: "action",
  ours: { input: ["nth", "within"] },
  step: {
    kind: "operation",
    operation: "scroll",
    toInput: ({ direction, amount, ...args }) =>
      defined({ ...elementOrApp("target", args), direction, amount }),
    toArguments: ({ target, app, direction, amount }) =>
      defined({ ...queryOrApp(target, app), direction, amount }),
    toResult: done("scroll"),
  },
});
