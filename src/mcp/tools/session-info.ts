import { SECURITY_MODES } from "../../policy/security.ts";
import type { Tool } from "../tool.ts";

/** What the session of this client has: connections, acts, and what could be undone. */
export const sessionInfo: Tool = {
  toolset: "context",
  definition: {
    name: "ax_session_info",
    title: "Session information",
    description:
      "Tells the state of this session: connected applications, how many acts were done and how many of them ax_undo can reach, subscriptions, and how much the server allows.",
    inputSchema: { type: "object", additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: {
        connected_apps: { type: "array", items: { type: "string" } },
        action_count: { type: "integer" },
        undo_stack_depth: { type: "integer" },
        subscriptions: { type: "integer" },
        uptime_seconds: { type: "number" },
        security_mode: { type: "string", enum: [...SECURITY_MODES] },
        run: { type: "string", description: "The run that the acts belong to: see `backstep runs`" },
      },
      required: ["connected_apps", "action_count"],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  run(_, { session }) {
    const { host, connections, actions, undoDepth, subscriptions, run } = session;
    return Promise.resolve({
      structured: {
        connected_apps: connections.list.map(({ name }) => name),
        action_count: actions,
        undo_stack_depth: undoDepth,
        subscriptions,
        uptime_seconds: Math.round((Date.now() - host.started) / 100) / 10,
        security_mode: host.security.mode,
        ...(run === undefined ? {} : { run }),
      },
    });
  },
};
