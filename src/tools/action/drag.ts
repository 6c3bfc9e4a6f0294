import type { Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { isMap } from "../../base/json.ts";
import { defineTool, type ToolArguments } from "../tool.ts";
import { target } from "../inputs.ts";
import { ACTED, APP, WRITES } from "../parts.ts";
import { done } from "../results.ts";
import { queryOf } from "../wording.ts";

/** Drags, and drops. */
export const axDrag = defineTool({
  name: "ax_drag",
  title: "Drag element or between positions",
  description: "Drags with the pointer from an element or a place of the screen to another, and drops there.",
  inputSchema: {
    type: "object",
    properties: {
      app: APP,
      from_query: { type: "string", description: "The element that is dragged" },
      to_query: { type: "string", description: "The element that it is dropped on" },
      from_x: { type: "integer" },
      from_y: { type: "integer" },
      to_x: { type: "integer" },
      to_y: { type: "integer" },
      duration_ms: { type: "integer", default: 500 },
    },
    required: ["app"],
  },
  outputSchema: ACTED,
  annotations: WRITES,
  toolset: "action",
  step: {
    kind: "operation",
    operation: "drag",
    amends: { duration_ms: { minimum: 0 } },
    toInput: (args) =>
      defined({ from: end("from", args), to: end("to", args), duration: args["duration_ms"] }),
    toArguments: ({ from, to, duration: duration_ms }) =>
      defined({ ...sayEnd("from", from), ...sayEnd("to", to), duration_ms }),
    toResult: done("drag"),
  },
});

/** One end of a drag: an element by its query, else a place of the screen. */
function end(which: "from" | "to", args: ToolArguments): Json {
  const query = args[`${which}_query`];
  if (query !== undefined) return target(defined({ app: args["app"], query }));
  return defined({ x: args[`${which}_x`], y: args[`${which}_y`] });
}

/** The inverse of `end`. */
function sayEnd(which: "from" | "to", at: Json | undefined): ToolArguments {
  const { query, app, x, y } = isMap(at) && at["x"] !== undefined ? at : queryOf(at);
  return which === "from"
    ? defined({ app, from_query: query, from_x: x, from_y: y })
    : defined({ app, to_query: query, to_x: x, to_y: y });
}
