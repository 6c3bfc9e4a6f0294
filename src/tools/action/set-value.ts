import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { target } from "../inputs.ts";
import { ACTED, APP, QUERY, WHICH, WRITES } from "../parts.ts";
import { done } from "../results.ts";
import { queryOf } from "../wording.ts";

/** Sets a value. */
export const axSetValue = defineTool({
  name: "ax_set_value",
  title: "Set element value",
  description:
    "Sets an element to a value and reads it back: a text, the number of a slider, true or false of a check box, " +
    "the name of an item of a list.",
  inputSchema: {
    type: "object",
    properties: { app: APP, query: QUERY, value: { type: "string" }, ...WHICH },
    required: ["app", "query", "value"],
  },
  outputSchema: ACTED,
  annotations: { ...WRITES, idempotentHint: true },
  toolset: "action",
  ours: { input: ["nth", "within"] },
  step: {
    kind: "operation",
    operation: "set",
    toInput: ({ value, ...args }) => defined({ target: target(args), value }),
    toArguments: ({ target, value }) => defined({ ...queryOf(target), value }),
    toResult: done("set_value"),
  },
});
