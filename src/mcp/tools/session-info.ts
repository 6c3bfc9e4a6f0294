import { defined } from "../../base/defined.ts";
import { axSessionInfo } from "../../tools/context/session-info.ts";
import { served } from "./serve.ts";

/** What the session of this client has: connections, acts, and what could be undone. */
export const sessionInfo = served(axSessionInfo, (_, { session }) => {
  const { host, connections, actions, undoDepth, subscriptions, run } = session;
  return Promise.resolve({
    structured: {
      connected_apps: connections.list.map(({ name }) => name),
      action_count: actions,
      undo_stack_depth: undoDepth,
      subscriptions,
      uptime_seconds: Math.round((Date.now() - host.started) / 100) / 10,
      security_mode: host.security.mode,
      ...defined({ run }),
    },
  });
});
