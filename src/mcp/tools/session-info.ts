import { DEFINITIONS } from "./definitions/mod.ts";
import type { Tool } from "../tool.ts";

/** What the session of this client has: connections, acts, and what could be undone. */
export const sessionInfo: Tool = {
  toolset: "context",
  definition: DEFINITIONS.ax_session_info,
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
