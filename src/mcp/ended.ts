import { toBackstepError } from "../base/error.ts";
import type { Connection } from "./connections.ts";
import { ToolFailure } from "./failure.ts";
import type { McpSession } from "./session.ts";

/** Does it; where the application that it is about turns out to have ended, that is said and its connection forgotten. */
export async function ended<R>(
  session: McpSession,
  app: string | undefined,
  deed: () => Promise<R>,
): Promise<R> {
  const connection = app === undefined ? undefined : session.connections.find(app);
  try {
    return await deed();
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (
      connection && (code === "app_not_running" || code === "app_gone") && !await runs(session, connection)
    ) {
      session.connections.forget(connection.application.pid);
      throw appEnded(connection, thrown);
    }
    throw thrown;
  }
}

/** Throws `AppNotRunning` where the connected application has ended. */
export async function stillRuns(session: McpSession, connection: Connection): Promise<void> {
  if (await runs(session, connection)) return;
  session.connections.forget(connection.application.pid);
  throw appEnded(connection, undefined);
}

async function runs({ host }: McpSession, { application }: Connection): Promise<boolean> {
  const running = await host.desktop.desktop.applications({ timeout: 2_000 });
  return running.some(({ bus, pid }) => bus === application.bus && pid === application.pid);
}

function appEnded({ name, application }: Connection, cause: unknown): ToolFailure {
  return new ToolFailure("AppNotRunning", `App '${name}' is no longer running`, {
    suggestion: "Start it again, then call ax_connect.",
    data: { app: name, pid: application.pid },
    ...(cause === undefined ? {} : { cause }),
  });
}
