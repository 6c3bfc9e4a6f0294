import type { Deadline } from "../../../base/call.ts";
import { BackstepError, type Json } from "../../../base/error.ts";
import { defined } from "../../../base/defined.ts";
import type { McpCall } from "../../server/call.ts";
import type { Connection } from "../../server/connections.ts";
import type { Insight } from "./insight.ts";
import { stateOf } from "./state.ts";
import { blockedBy } from "./view.ts";

/** The running applications that have a window and may be seen, with a summary of connected ones. */
export async function appsOf(
  call: McpCall,
  insight: Insight | undefined,
  deadline: Deadline,
): Promise<Json> {
  const { host, connections } = call.session;
  const running = await host.desktop.launcher.list(deadline.call());
  const allowed = running.filter(({ name, bundleId, processId }) =>
    host.security.blocked({ name, id: bundleId, pid: processId }) === undefined
  );
  const connected = connections.list.filter((one) => blockedBy(host, one) === undefined);
  const summaries = new Map(
    await Promise.all(connected.map(async (one) => {
      return [one.application.pid, await summaryOf(one, call, insight, deadline)] as const;
    })),
  );
  const apps: { readonly [key: string]: Json }[] = allowed.map(({ name, bundleId, processId, isHidden }) => {
    const summary = summaries.get(processId);
    summaries.delete(processId);
    return {
      name,
      pid: processId,
      bundle_id: bundleId,
      accessible: true,
      ...(isHidden ? { hidden: true } : {}),
      connected: summary !== undefined,
      ...(summary ?? {}),
    };
  });
  // Connected to, and without any window just now.
  for (const one of connected) {
    const summary = summaries.get(one.application.pid);
    if (summary === undefined || "gone" in summary) continue;
    apps.push({
      name: one.appName,
      pid: one.application.pid,
      ...defined({ bundle_id: one.bundleId }),
      accessible: true,
      connected: true,
      ...summary,
    });
  }
  return { apps };
}

/** State and focused window; one that has just ended says no more than that. */
async function summaryOf(
  one: Connection,
  call: McpCall,
  insight: Insight | undefined,
  deadline: Deadline,
): Promise<{ readonly [key: string]: Json }> {
  const alias = one.name === one.appName ? {} : { alias: one.name };
  const { desktop } = call.session.host.desktop;
  try {
    const state = await stateOf(
      { desktop, application: one.application, name: one.appName, insight },
      "held",
      deadline,
    );
    // Every application has a window that its keys would go to, also while another application is in front.
    const focused = state.windows.find((window) => window.focused === true) ??
      state.windows.find((window) => window.minimized !== true);
    return {
      ...alias,
      state: state.detected_state,
      focused_window: typeof focused?.title === "string" ? focused.title : null,
    };
  } catch (error) {
    if (error instanceof BackstepError && error.code === "app_gone") return { ...alias, gone: true };
    throw error;
  }
}
