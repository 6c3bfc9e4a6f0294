import { machineName } from "../../../base/machine-name.ts";
import type { Json } from "../../../base/error.ts";
import type { McpCall } from "../../server/call.ts";
import type { Vision } from "./vision.ts";

/** The revision of the protocol that the server speaks first. */
const PROTOCOL = "2025-11-25";

/** What the server can do here, and what it has. */
export async function statusOf(
  { session: { host, connections, folders }, client, signal }: McpCall,
  vision: Vision,
): Promise<Json> {
  const open = await folders.listOrNone(client, signal);
  return {
    accessibility_enabled: host.desktop.desktop.capabilities.accessibility,
    server_version: host.version,
    protocol_version: PROTOCOL,
    vlm_backend: vision.backend,
    vlm_available: vision.available,
    connected_apps: connections.list.map((one) => one.name),
    platform: machineName(),
    desktop: host.desktop.label,
    ...(open.length > 0
      ? {
        folders: open.map(({ path, workflows, baselines, configuration }) => ({
          path,
          workflows: workflows.length,
          baselines: baselines !== undefined,
          // Named, and never read: what a client offers sets no policy.
          configuration: configuration !== undefined,
        })),
      }
      : {}),
    security_mode: host.security.mode,
    uptime_seconds: Math.round((Date.now() - host.started) / 100) / 10,
  };
}
