import process from "node:process";
import { OPEN_SECURITY, type Security } from "../policy/security.ts";
import type { Session } from "../session/session.ts";
import type { Admission, Around, Beforehand, Host, Limiter, OpenHost, ResolveAmbiguity } from "./host.ts";
import { ClientSession } from "./client-session.ts";
import { prompts } from "./prompts/all.ts";
import { Queue } from "./queue.ts";
import { resources } from "./resources/all.ts";
import { CACHES, type Caches } from "./short-memory.ts";
import type { McpSession } from "./session.ts";
import { tools } from "./tools/all.ts";
import type { Tool, Toolset } from "./tool.ts";

/** What a host is made of. */
export interface HostOptions {
  /** Stays open: whoever opened it closes it. */
  readonly desktop: Session;
  /** Default: everything is allowed. */
  readonly security?: Security;
  /** Groups of tools that are offered; default: all. */
  readonly toolsets?: readonly Toolset[];
  /** Where journals are kept; default: `stateFolder()`. */
  readonly state?: string;
  /** What paths are confined to; default: the working folder. */
  readonly folder?: string;
  /** Of the program, as clients are told. */
  readonly version?: string;
  /** Deeds that `ax_undo` can reach; default 500. */
  readonly kept?: number;
  /** Default: everything that there is. */
  readonly tools?: readonly Tool[];
  /** Offered beside the rest. */
  readonly extra?: Pick<Host, "tools" | "resources" | "prompts">;
  readonly admission?: Admission;
  readonly beforehand?: Beforehand;
  readonly audit?: Host["audit"];
  readonly limiter?: Limiter;
  /** How long trees and pictures are given again; default: 500 and 100 ms. */
  readonly caches?: Partial<Caches>;
  readonly resolveAmbiguity?: ResolveAmbiguity;
  readonly around?: Around;
}

/** Makes what all clients of a server share, over one desktop. */
export function makeHost(options: HostOptions): OpenHost {
  const { desktop, extra, admission, beforehand, audit, limiter, resolveAmbiguity, around, toolsets } =
    options;
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
    caches: { ...CACHES, ...options.caches },
    ...(toolsets ? { toolsets: new Set(toolsets) } : {}),
    ...(admission ? { admission } : {}),
    ...(beforehand ? { beforehand } : {}),
    ...(audit ? { audit } : {}),
    ...(limiter ? { limiter } : {}),
    ...(resolveAmbiguity ? { resolveAmbiguity } : {}),
    ...(around ? { around } : {}),
    open(id) {
      const session = new ClientSession(id, host, {
        queue,
        folder: options.folder ?? process.cwd(),
        state: options.state,
        kept: options.kept,
        closed: () => sessions.delete(session),
      });
      sessions.add(session);
      return session;
    },
    async close() {
      // Each is ended, also where the journal of another cannot be written to its end.
      const ended = await Promise.allSettled([...sessions].map((session) => session.close()));
      for (const one of ended) if (one.status === "rejected") throw one.reason;
    },
  };
  return host;
}
