import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { isComposed } from "../../tools/all.ts";
import type { Connection } from "../server/connections.ts";
import { ToolFailure } from "../server/failure.ts";
import type { McpSession } from "../server/call.ts";

/** A connection by any of its names, where it may be used: throws `AppNotConnected`, `SecurityBlocked`. */
export function connectionOf(session: McpSession, name: string): Connection {
  const connection = session.connections.get(name);
  refuseBlocked(session, connection);
  return connection;
}

/** Throws `SecurityBlocked` where the application may be neither seen nor touched. */
export function refuseBlocked(
  { host: { security } }: McpSession,
  { appName, application, bundleId }: Pick<Connection, "appName" | "application" | "bundleId">,
): void {
  const id = bundleId ?? application.id;
  const reason = security.blocked({
    name: appName,
    pid: application.pid,
    ...defined({ id }),
  });
  if (reason === undefined) return;
  throw new ToolFailure("SecurityBlocked", `App '${appName}' is blocked by security policy`, {
    suggestion: "Use another application, or ask the person who runs this server to allow it.",
    data: { app: appName, reason },
  });
}

/** Arguments of a tool with every `app` as the engine is to know it: the process id of a connection. */
export interface OnApps {
  readonly args: ToolArguments;
  /** The process ids. */
  readonly apps: readonly string[];
}

/** Puts the process id of its connection in the place of every `app`, in the steps of `ax_workflow` too. */
export function withApps(session: McpSession, tool: string, args: ToolArguments): OnApps {
  const used = new Set<string>();
  const one = (own: ToolArguments): ToolArguments => {
    const { app } = own;
    if (typeof app !== "string") return own;
    const pid = String(connectionOf(session, app).application.pid);
    used.add(pid);
    return { ...own, app: pid };
  };
  const step = (value: Json): Json => {
    if (!isMap(value)) return value;
    const own = value["args"];
    return isMap(own) ? { ...value, args: one(own) } : value;
  };
  const { steps } = args;
  const mapped = isComposed(tool) && steps !== undefined && isList(steps)
    ? { ...args, steps: steps.map(step) }
    : one(args);
  return { args: mapped, apps: [...used] };
}
