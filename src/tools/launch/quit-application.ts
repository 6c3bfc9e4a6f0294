import { asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { ID, WRITES } from "../parts.ts";

/** Ends an application. */
export const quitApplication = defineTool({
  name: "quit_application",
  title: "Quit application",
  description:
    "Closes an application as a person would. What it asks about unsaved work is answered as `unsaved` says; without it the " +
    "question stays open, and the error says so.",
  inputSchema: {
    ...ID,
    properties: {
      ...ID.properties,
      unsaved: {
        type: "string",
        enum: ["discard", "save", "fail"],
        description: "How a question about unsaved work is answered (default: fail, it stays open)",
      },
    },
  },
  outputSchema: {
    type: "object",
    properties: { applicationName: { type: "string" } },
    required: ["applicationName"],
  },
  annotations: WRITES,
  toolset: "launch",
  ours: { input: ["unsaved"] },
  step: {
    kind: "operation",
    operation: "quit",
    toInput: ({ bundleId, unsaved }) => defined({ app: bundleId, unsaved }),
    toArguments: ({ app, unsaved }) => defined({ bundleId: app, unsaved }),
    toResult: (output) => defined({ applicationName: asMap(output)["name"] }),
  },
});
