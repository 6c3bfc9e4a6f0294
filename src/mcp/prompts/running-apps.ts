import { toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Application } from "../../desktop/desktop.ts";
import { pick } from "../../desktop/locator/application.ts";
import type { McpCall } from "../server/call.ts";

/** Milliseconds for the list of what runs. */
const LIST = 3_000;

/** An application that runs and may be seen. */
export interface RunningApp {
  /** What the client calls it, where it is connected to it; else what people call it. */
  readonly name: string;
  readonly application: Application;
  readonly bundleId?: string;
  readonly connected: boolean;
}

/** What may be seen of what runs: those that the client is connected to first, then in the order of their names. */
export async function runningApps({ session, signal }: McpCall): Promise<RunningApp[]> {
  const { host, connections } = session;
  const { desktop, launcher } = host.desktop;
  const call = { timeout: LIST, signal };
  const [running, entries] = await Promise.all([desktop.applications(call), launcher.list(call)]);
  const all = running.flatMap((application): RunningApp[] => {
    const entry = entries.find(({ processId }) => processId === application.pid);
    const connection = connections.list.find((one) => one.application.pid === application.pid);
    // A helper on the bus without a window is nobody's application.
    if (entry === undefined && connection === undefined) return [];
    const appName = connection?.appName ?? entry?.name ?? application.name;
    const id = connection?.bundleId ?? entry?.bundleId ?? application.id;
    const blocked = [appName, application.name].some((name) =>
      host.security.blocked({ name, pid: application.pid, ...defined({ id }) }) !== undefined
    );
    if (blocked) return [];
    return [{
      name: connection?.name ?? appName,
      application,
      ...defined({ bundleId: id }),
      connected: connection !== undefined,
    }];
  });
  return all.sort((a, b) =>
    Number(b.connected) - Number(a.connected) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  );
}

/** The one that a name means, among these; undefined: none, or several do. */
export function appNamed(name: string, apps: readonly RunningApp[], call: McpCall): RunningApp | undefined {
  const query = name.trim();
  if (query === "") return undefined;
  const connection = call.session.connections.find(query);
  const existing = connection && apps.find((one) => one.application.pid === connection.application.pid);
  if (existing) return existing;
  const lower = query.toLowerCase();
  const same = apps.filter((one) =>
    one.name.toLowerCase() === lower || one.bundleId?.toLowerCase() === lower
  );
  if (same.length === 1) return same[0];
  try {
    const found = pick(query, apps.map((one) => one.application));
    return apps.find((one) => one.application === found);
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (code !== "app_not_running" && code !== "ambiguous") throw thrown;
  }
  const holds = apps.filter((one) =>
    one.name.toLowerCase().includes(lower) || (one.bundleId?.toLowerCase().includes(lower) ?? false)
  );
  return holds.length === 1 ? holds[0] : undefined;
}
