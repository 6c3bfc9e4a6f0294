import { asList, asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { READS } from "../parts.ts";

/** What runs, and what of it is connected. */
export const axListApps = defineTool({
  name: "ax_list_apps",
  title: "List running applications",
  description: "Lists the applications that run and have a window, and says which are connected.",
  inputSchema: { type: "object", additionalProperties: false },
  outputSchema: {
    type: "object",
    properties: {
      apps: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            pid: { type: "integer" },
            bundle_id: { type: "string" },
            connected: { type: "boolean" },
            accessible: { type: "boolean", description: "It answers to accessibility" },
          },
        },
      },
    },
    required: ["apps"],
  },
  annotations: READS,
  toolset: "connect",
  ours: { output: ["apps[].accessible"] },
  traits: { sandboxed: true },
  step: {
    kind: "operation",
    operation: "list-applications",
    toInput: () => ({}),
    toResult: (output) => ({
      apps: asList(asMap(output)["apps"]).map((one) => {
        const { name, pid, id: bundle_id, accessible } = asMap(one);
        return defined({ name, pid, bundle_id, accessible });
      }),
    }),
  },
});
