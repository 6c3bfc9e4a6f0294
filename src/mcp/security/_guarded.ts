import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../base/error.ts";
import type { ApplicationDescription } from "../../desktop/simulated/describe.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../../desktop/simulated/simulated-desktop.ts";
import { AuditLog } from "../../policy/audit-log.ts";
import { Policy } from "../../policy/policy.ts";
import { Settings } from "../../policy/settings.ts";
import { openSession } from "../../session/open-session.ts";
import type { Session } from "../../session/session.ts";
import type { McpCall, McpSession } from "../server/call.ts";
import type { Elicited, FormRequest, McpClient, UrlRequest } from "../server/client.ts";
import { callTool, type ToolResult } from "../server/dispatch.ts";
import type { OpenHost } from "../server/host.ts";
import type { WindowManager } from "../../wm/model.ts";
import { makeHost } from "../make-host.ts";
import type { LogLevel } from "../server/wire.ts";
import { guard } from "./guard.ts";
import process from "node:process";

/** A program with buttons that destroy, which keeps in `pressed` what was. */
export function store(pressed: string[]): ApplicationDescription {
  return {
    id: "test.store",
    name: "Store",
    windows: [{
      key: "main",
      title: "Store",
      children: [
        { kind: "button", key: "open", name: "Open" },
        { kind: "button", key: "delete", name: "Delete All Data" },
        { kind: "button", key: "icon", name: "Icon", description: "Remove the account" },
        { kind: "button", key: "undelete", name: "Undelete" },
        { kind: "entry", key: "reason", name: "Delete reason" },
        { kind: "password", key: "pin", name: "Pin" },
        { kind: "list", key: "items", name: "Items", height: 60, options: "abcdefghijklmnopqrst".split("") },
      ],
    }],
    behave: () => ({ press: (key) => void pressed.push(key) }),
  };
}

/** What a client is asked, and what it answers. */
export type Asked = FormRequest | UrlRequest;

/** A guarded host over a simulated desktop. */
export interface GuardedFixture {
  readonly host: OpenHost;
  readonly raw: Session;
  readonly desktop: SimulatedDesktop;
  readonly policy: Policy;
  readonly session: McpSession;
  readonly asked: Asked[];
  readonly log: {
    readonly level: LogLevel;
    readonly logger: string;
    readonly data: { readonly [key: string]: Json };
  }[];
  readonly audit: string;
  /** Sets the policy file, and has it read. */
  write(security: string): void;
  call(
    options?: { readonly signal?: AbortSignal; readonly task?: boolean; readonly session?: McpSession },
  ): McpCall;
  tool(name: string, args?: { readonly [key: string]: Json }): Promise<ToolResult>;
  /** Buttons that were pressed in the store. */
  readonly pressed: readonly string[];
}

/** How the bench is set up. */
export interface GuardedOptions {
  readonly security?: string;
  readonly environment?: { readonly [name: string]: string };
  /** Default: the client can ask nobody. */
  readonly answer?: (request: Asked) => Elicited | Promise<Elicited>;
  readonly can?: Partial<McpClient["can"]>;
  /** Default: its model says nothing. */
  readonly sample?: McpClient["sample"];
  readonly applications?: readonly (string | ApplicationDescription)[];
  readonly now?: () => number;
  /** Default: none answers. */
  readonly windowManager?: () => Promise<WindowManager | undefined>;
  readonly audit?: string;
}

/** Opens a guarded host, and closes it after the work. */
export async function guarded(options: GuardedOptions, work: (fixture: GuardedFixture) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), "backstep-guard-"));
  const pressed: string[] = [];
  const policyFile = join(folder, "security.toml");
  const write = (text: string) => writeFileSync(policyFile, text);
  write(options.security ?? "");
  const desktop = simulate({
    applications: options.applications ?? ["sim.settings", store(pressed)],
    clock: "virtual",
  });
  const opened = await openSession({ kind: "simulated", simulate: () => desktop });
  const { windowManager } = options;
  const raw = windowManager ? { ...opened, windowManager } : opened;
  const policy = new Policy(new Settings({ environment: { HOME: folder, ...options.environment }, folder }));
  const audit = options.audit ?? join(folder, "audit.jsonl");
  const log = new AuditLog(audit, { maxBytes: 1_000_000 });
  const host = makeHost({
    ...guard({ session: raw, security: policy, audit: log, ...(options.now ? { now: options.now } : {}) }),
    state: folder,
    folder: process.cwd(),
  });
  const asked: Asked[] = [];
  const logged: GuardedFixture["log"] = [];
  const { answer } = options;
  const client: McpClient = {
    name: "test",
    version: "1",
    can: {
      form: answer !== undefined,
      url: answer !== undefined,
      sampling: false,
      samplingTools: false,
      roots: false,
      ...options.can,
    },
    async elicit(request) {
      asked.push(request);
      return await answer?.(request) ?? { action: "cancel" };
    },
    elicited: () => Promise.resolve(),
    sample: options.sample ?? (() => Promise.reject(new Error("the client cannot sample"))),
    roots: () => Promise.resolve([]),
  };
  const session = host.open("test");
  const call: GuardedFixture["call"] = (own = {}) => ({
    session: own.session ?? session,
    client,
    signal: own.signal ?? new AbortController().signal,
    progress: () => {},
    log: (level, logger, data) => void logged.push({ level, logger, data }),
    ...(own.task ? { task: { id: "task" } } : {}),
  });
  try {
    await work({
      host,
      raw,
      desktop,
      policy,
      session,
      asked,
      log: logged,
      audit,
      write(text) {
        write(text);
        policy.reload();
      },
      call,
      tool: (name, args = {}) => callTool(host, name, args, call()),
      pressed,
    });
  } finally {
    await host.close();
    await raw.close();
    policy.close();
    log.close();
    rmSync(folder, { recursive: true });
  }
}
