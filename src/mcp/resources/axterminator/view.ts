import { type Call, Deadline } from "../../../base/call.ts";
import { defined } from "../../../base/defined.ts";
import type { Application, Desktop } from "../../../desktop/desktop.ts";
import { ownWindows } from "../../../operations/own-windows.ts";
import type { McpCall, SharedHost } from "../../server/call.ts";
import type { Connection } from "../../server/connections.ts";
import { noSuch } from "./address.ts";

/** Milliseconds that reading one resource may take. */
const READ = 15_000;

/** The connected application that an address names. Throws -32002 where there is none, or where it may not be seen. */
export function connectionOf(name: string, uri: string, call: McpCall): Connection {
  const { connections, host } = call.session;
  const connection = connections.find(name);
  if (connection === undefined) {
    const connected = connections.list.map((one) => one.name);
    throw noSuch(uri, `"${name.slice(0, 200)}" is not connected`, {
      name: name.slice(0, 200),
      connected,
      suggestion: connected.length === 0
        ? "Call ax_connect first."
        : `Call ax_connect with it first. Connected: ${connected.join(", ")}.`,
    });
  }
  const blocked = blockedBy(host, connection);
  if (blocked === undefined) return connection;
  throw noSuch(uri, blocked, { name: connection.name, kind: "SecurityBlocked" });
}

/** Why a connected application may not be seen any more; undefined: it may. */
export function blockedBy(
  host: SharedHost,
  { application, appName, bundleId }: Connection,
): string | undefined {
  const id = bundleId ?? application.id;
  const as = (name: string) => host.security.blocked({ name, pid: application.pid, ...defined({ id }) });
  return as(appName) ?? as(application.name);
}

/** The time for one reading. */
export function deadlineOf(call: McpCall): Deadline {
  return Deadline.after(READ, call.signal);
}

/** A window of an application, as the window system tells it, else as its tree does. */
export interface AppWindow {
  readonly title: string;
  readonly focused: boolean;
  readonly minimised: boolean;
  readonly rect: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly id: number;
}

/** The windows of an application as indices count them, the one in front first; no popups. */
export async function windowsOf(
  desktop: Desktop,
  application: Application,
  call: Call,
): Promise<readonly AppWindow[]> {
  if (!desktop.capabilities.windows) return [];
  const own = await ownWindows({ desktop, deadline: Deadline.of(call, READ) }, application);
  return own.map(({ id, title, rect, active, minimised }) => ({
    id,
    title,
    rect,
    focused: active,
    minimised,
  }));
}
