import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Mode } from "../../desktop/desktop.ts";
import type { ApplicationDescription } from "../../desktop/simulated/describe.ts";
import type { Fault } from "../../desktop/simulated/faults.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../../desktop/simulated/simulated-desktop.ts";
import { openSession } from "../../session/open-session.ts";
import type { WindowManager } from "../../wm/model.ts";
import type { McpCall, McpSession } from "../server/call.ts";
import type { McpClient } from "../server/client.ts";
import { callTool, type ToolResult } from "../server/dispatch.ts";
import type { HostOptions, OpenHost } from "../server/host.ts";
import { makeHost } from "../make-host.ts";
import type { LogLevel } from "../server/wire.ts";

/** What a call told its client. */
export interface Reported {
  readonly progress: { readonly message: string; readonly done?: number; readonly total?: number }[];
  readonly log: {
    readonly level: LogLevel;
    readonly logger: string;
    readonly data: { readonly [key: string]: Json };
  }[];
}

/** A host over a simulated desktop, for tests. */
export interface Fixture {
  readonly host: OpenHost;
  readonly desktop: SimulatedDesktop;
  readonly session: McpSession;
  readonly state: string;
  readonly reported: Reported;
  /** A request of the session, or of another. */
  call(
    options?: { readonly session?: McpSession; readonly signal?: AbortSignal; readonly client?: McpClient },
  ): McpCall;
  /** Calls a tool, as the wire does. */
  tool(
    name: string,
    args?: { readonly [key: string]: Json },
    options?: Parameters<Fixture["call"]>[0],
  ): Promise<ToolResult>;
}

/** A client that can do nothing. */
export const PLAIN_CLIENT: McpClient = {
  name: "test",
  version: "1",
  can: { form: false, url: false, sampling: false, samplingTools: false, roots: false },
  elicit: () => Promise.resolve({ action: "cancel" }),
  elicited: () => Promise.resolve(),
  sample: () => Promise.reject(new Error("the client cannot sample")),
  roots: () => Promise.resolve([]),
};

/** A call of a session that nobody hears. */
export function answering(session: McpSession, client: McpClient): McpCall {
  return { session, client, signal: new AbortController().signal, progress: () => {}, log: () => {} };
}

/** Opens a simulated desktop with these applications running, and a host over it. */
export async function fixture<R>(
  options:
    & Partial<Omit<HostOptions, "desktop" | "state">>
    & {
      readonly applications?: readonly (string | ApplicationDescription)[];
      readonly faults?: readonly Fault[];
      readonly mode?: Mode;
      /** Default: none answers. */
      readonly windowManager?: () => Promise<WindowManager | undefined>;
    },
  use: (fixture: Fixture) => Promise<R>,
): Promise<R> {
  const { applications = ["sim.settings"], faults = [], mode = "focus", windowManager, ...rest } = options;
  const state = mkdtempSync(join(tmpdir(), "backstep-mcp-"));
  const desktop = simulate({ applications, faults, clock: "virtual" });
  const opened = await openSession({ kind: "simulated", mode, simulate: () => desktop });
  const host = makeHost({ ...rest, desktop: { ...opened, ...defined({ windowManager }) }, state });
  try {
    const reported: Reported = { progress: [], log: [] };
    const session = host.open("test");
    const call: Fixture["call"] = (own = {}) => ({
      session: own.session ?? session,
      client: own.client ?? PLAIN_CLIENT,
      signal: own.signal ?? new AbortController().signal,
      progress: (message, done, total) =>
        void reported.progress.push({
          message,
          ...defined({ done, total }),
        }),
      log: (level, logger, data) => void reported.log.push({ level, logger, data }),
    });
    return await use({
      host,
      desktop,
      session,
      state,
      reported,
      call,
      tool: (name, args = {}, own) => callTool(host, name, args, call(own)),
    });
  } finally {
    await host.close();
    await opened.close();
    rmSync(state, { recursive: true });
  }
}
