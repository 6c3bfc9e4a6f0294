import { defineTool } from "../tool.ts";
import { READS } from "../parts.ts";

/** Whether the desktop can be driven at all. */
export const axIsAccessible = defineTool({
  name: "ax_is_accessible",
  title: "Check accessibility permissions",
  description:
    "Tells whether this process may see and drive applications through accessibility. Other tools work only then; " +
    "otherwise the suggestion says what a person has to do.",
  inputSchema: { type: "object", additionalProperties: false },
  outputSchema: {
    type: "object",
    properties: {
      enabled: { type: "boolean" },
      process_name: { type: "string" },
      suggestion: { type: "string" },
    },
    required: ["enabled"],
  },
  annotations: READS,
  toolset: "connect",
  traits: { sandboxed: true, ownWords: true, helps: "access" },
});
