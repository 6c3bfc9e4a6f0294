import { asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { ID } from "../parts.ts";

/** Starts an application. */
export const launchApplication = defineTool({
  name: "launch_application",
  title: "Launch application",
  description:
    "Starts the application of an id and waits for its window; one that runs already comes to the front. Answers its " +
    "process id and name.",
  inputSchema: ID,
  outputSchema: {
    type: "object",
    properties: {
      processId: { type: "integer" },
      applicationName: { type: "string" },
      wasAlreadyRunning: { type: "boolean" },
    },
    required: ["processId", "applicationName"],
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  toolset: "launch",
  traits: { repeatable: true },
  step: {
    kind: "operation",
    operation: "launch",
    toInput: ({ bundleId }) => defined({ app: bundleId }),
    toArguments: ({ app }) => defined({ bundleId: app }),
    toResult: (output) => {
      const { pid: processId, name: applicationName, was_already_running: wasAlreadyRunning } = asMap(output);
      return defined({ processId, applicationName, wasAlreadyRunning });
    },
  },
});
