import { toBackstepError } from "../../base/error.ts";
import type { Connection } from "../server/connections.ts";
import { ToolFailure } from "../server/failure.ts";
import type { McpSession } from "../server/call.ts";

/** Does it; where one of the applications that it is about turns out to have ended, that is said and the connection forgotten. */
export async function finished<R>(
  session: McpSession,
  apps: readonly string[],
  action: () => Promise<R>,
): Promise<R> {
  try {
    return await action();
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (code !== "app_not_running" && code !== "app_gone") throw thrown;
    for (const app of apps) {
      const connection = session.connections.find(app);
      if (!connection || await runs(session, connection)) continue;
      session.connections.forget(connection.application.pid);
      throw notRunning(connection, thrown);
    }
    throw thrown;
  }
}

async function runs({ host }: McpSession, { application }: Connection): Promise<boolean> {
  const running = await host.desktop.desktop.applications({ timeout: 2_000 });
  return running.some(({ bus, pid }) => bus === application.bus && pid === application.pid);
}

function notRunning({ name, application }: Connection, cause: unknown): ToolFailure {
  return new ToolFailure("AppNotRunning", `App '${name}' is no longer running`, {
    suggestion: "Start it again, then call ax_connect.",
    data: { app: name, pid: application.pid },
    cause,
  });
}

/** The process ids that the input of an operation names, at its top or of what it acts on. */
export function appsIn(input: unknown, depth = 2): string[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input).flatMap(([key, value]: [string, unknown]) =>
    key === "app" && typeof value === "string" ? [value] : depth > 0 ? appsIn(value, depth - 1) : []
  );
}
