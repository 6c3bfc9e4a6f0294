import { asList, asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { APP, PAIR, READS } from "../parts.ts";

/** The windows of an application. */
export const axListWindows = defineTool({
  name: "ax_list_windows",
  title: "List application windows",
  description: "Lists the windows of an application, the one in front first.",
  inputSchema: { type: "object", properties: { app: APP }, required: ["app"] },
  outputSchema: {
    type: "object",
    properties: {
      windows: {
        type: "array",
        items: {
          type: "object",
          properties: {
            index: { type: "integer" },
            title: { type: "string" },
            position: PAIR,
            size: PAIR,
            focused: { type: "boolean" },
            minimized: { type: "boolean" },
          },
        },
      },
    },
    required: ["windows"],
  },
  annotations: READS,
  toolset: "observe",
  traits: { sandboxed: true },
  step: {
    kind: "operation",
    operation: "list-windows",
    toInput: (args) => args,
    toResult: (output) => defined({ windows: asMap(output)["windows"] }),
  },
  log: ({ windows }) => ({ count: asList(windows).length }),
});
