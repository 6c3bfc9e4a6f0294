import process from "node:process";
import { OPEN_SECURITY } from "../policy/security.ts";
import { prompts } from "./prompts/all.ts";
import { resources } from "./resources/all.ts";
import { CACHES } from "./server/caches.ts";
import type { McpSession } from "./server/call.ts";
import type { HostOptions, OpenHost } from "./server/host.ts";
import { findTool } from "./server/listed.ts";
import { ClientSession } from "./session/client-session.ts";
import { Queue } from "./session/queue.ts";
import { tools } from "./tools/all.ts";

/** Makes what all clients of a server share, over one desktop. */
export function makeHost(options: HostOptions): OpenHost {
  const { desktop, extra, admission, beforehand, audit, limiter, resolveAmbiguity } = options;
  const { around, toolsets, recording } = options;
  const sessions = new Set<McpSession>();
  const queue = new Queue();
  const host: OpenHost = {
    desktop,
    security: options.security ?? OPEN_SECURITY,
    sessions,
    tools: [...(options.tools ?? tools), ...(extra?.tools ?? [])],
    resources: [...resources, ...(extra?.resources ?? [])],
    prompts: [...prompts, ...(extra?.prompts ?? [])],
    version: options.version ?? "0.0.0",
    started: Date.now(),
    inputOf: (tool) => findTool(host, tool)?.definition.inputSchema,
    caches: { ...CACHES, ...options.caches },
    ...(toolsets ? { toolsets: new Set(toolsets) } : {}),
    ...(admission ? { admission } : {}),
    ...(beforehand ? { beforehand } : {}),
    ...(audit ? { audit } : {}),
    ...(limiter ? { limiter } : {}),
    ...(resolveAmbiguity ? { resolveAmbiguity } : {}),
    ...(around ? { around } : {}),
    ...(recording ? { recording } : {}),
    open(id) {
      const session = new ClientSession(id, host, {
        queue,
        folder: options.folder ?? process.cwd(),
        state: options.state,
        kept: options.kept,
        actsAhead: async (steps, gate, signal) => {
          const { actsAhead } = await import("./tools/acts-ahead.ts");
          return await actsAhead(steps, gate, signal);
        },
        closed: () => sessions.delete(session),
      });
      sessions.add(session);
      return session;
    },
    async close() {
      // Each is ended, also where the journal of another cannot be written to its end.
      const finished = await Promise.allSettled([...sessions].map((session) => session.close()));
      for (const one of finished) if (one.status === "rejected") throw one.reason;
    },
  };
  return host;
}
