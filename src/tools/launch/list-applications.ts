import { asList, asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { READS } from "../parts.ts";

/** What runs and has a user interface. */
export const listApplications = defineTool({
  name: "list_applications",
  title: "List applications",
  description:
    "Lists the running applications that have a user interface, with id, name and process id; background processes are left out.",
  inputSchema: { type: "object", properties: {} },
  outputSchema: {
    type: "object",
    properties: {
      applications: {
        type: "array",
        items: {
          type: "object",
          properties: {
            bundleId: { type: "string" },
            name: { type: "string" },
            processId: { type: "integer" },
            isHidden: { type: "boolean" },
          },
        },
      },
    },
    required: ["applications"],
  },
  annotations: READS,
  toolset: "launch",
  traits: { sandboxed: true },
  step: {
    kind: "operation",
    operation: "list-applications",
    toInput: () => ({}),
    toResult: (output) => ({
      applications: asList(asMap(output)["apps"]).map((one) => {
        const { id: bundleId, name, pid: processId, hidden: isHidden } = asMap(one);
        return defined({ bundleId, name, processId, isHidden });
      }),
    }),
  },
});
