import { defineTool } from "../tool.ts";
import { READS } from "../parts.ts";

/** What the session of a client has. */
export const axSessionInfo = defineTool({
  name: "ax_session_info",
  title: "Session information",
  description:
    "Tells what this session has: connected applications, acts done and those that could be undone, subscriptions, mode.",
  inputSchema: { type: "object", additionalProperties: false },
  outputSchema: {
    type: "object",
    properties: {
      connected_apps: { type: "array", items: { type: "string" } },
      action_count: { type: "integer" },
      undo_stack_depth: { type: "integer" },
      subscriptions: { type: "integer" },
      uptime_seconds: { type: "number" },
      security_mode: { type: "string", enum: ["normal", "safe", "sandboxed"] },
      run: { type: "string", description: "The run that the acts belong to, as `backstep runs` lists it" },
    },
    required: ["connected_apps", "action_count"],
  },
  annotations: READS,
  toolset: "context",
  ours: { output: ["run"] },
  traits: { sandboxed: true },
});
