import { BackstepError } from "../../../base/error.ts";
import { ANYBODY, type Authority, type Principal } from "../../transport/auth/authority.ts";
import { isLoopback } from "../../transport/auth/loopback.ts";
import { oauth, type OAuthOptions } from "../../transport/auth/oauth.ts";
import { sharedToken } from "../../transport/auth/shared-token.ts";
import { refusalResponse, refuse } from "../../transport/http/answers.ts";
import { namesOf } from "../../transport/http/guards.ts";
import { HTTP_LIMITS, type HttpLimits } from "../../transport/http/limits.ts";
import { listen } from "../../transport/http/listen.ts";
import { HttpRouter } from "./router.ts";
import type { Refused } from "./router-options.ts";
import type { ServedServer } from "./sessions.ts";

/** Port of the server where none is given. */
export const HTTP_PORT = 8741;
/** Address of the server where none is given. */
export const HTTP_BIND = "127.0.0.1";

/** How to serve MCP over HTTP. */
export interface HttpOptions {
  /** Makes the server of one session. It gets a label for what is written down, never the id that opens the session. */
  makeServer(label: string, principal: Principal): Promise<ServedServer>;
  /** 0: any that is free. By default 8741. */
  readonly port?: number;
  /** By default 127.0.0.1. Off loopback a `token` or `oauth` must be given. */
  readonly bind?: string;
  /** Also the transport of 2024-11-05: GET /sse with POST /messages. */
  readonly sse?: boolean;
  /** Answers as JSON instead of as event streams; then a call has no progress. */
  readonly json?: boolean;
  /** Further names that the server goes by, as "desk.example" or "desk.example:8741". */
  readonly allowedHosts?: readonly string[];
  /** Origins of pages that may call it, beside its own. */
  readonly allowedOrigins?: readonly string[];
  /** One token for everybody. */
  readonly token?: string;
  /** Access tokens of an authorization server; `resource` is by default the server's own address. */
  readonly oauth?: Omit<OAuthOptions, "resource"> & { readonly resource?: string };
  /** Whether a tool acts, and so needs the scope for it. By default every tool does. */
  acts?(tool: string): boolean;
  /** Whether reading a resource acts. By default none does. */
  actsAt?(uri: string): boolean;
  readonly limits?: Partial<HttpLimits>;
  /** Told of each request that was refused. Never of what it held. */
  refused?(what: Refused): void;
  /** Told where a session could not be ended in order. */
  failed?(thrown: unknown): void;
}

/** A server that serves. */
export interface ServedHttp {
  /** Where clients connect to, as "http://127.0.0.1:8741/mcp". */
  readonly url: string;
  readonly port: number;
  /** Sessions that are open. */
  readonly sessions: number;
  /** Connections that are open. */
  readonly connections: number;
  /** Lets calls in flight finish within the time for that, cancels the rest, and ends every session. */
  close(): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP at `/mcp`, guarded: who may call, from where, how much and how long is judged before
 * the SDK sees anything. Throws `usage` for a server that others could reach without a token, `io` where the address
 * cannot be had.
 */
export async function serveHttp(options: HttpOptions): Promise<ServedHttp> {
  const bind = options.bind ?? HTTP_BIND;
  const limits: HttpLimits = { ...HTTP_LIMITS, ...options.limits };
  checkGuarded(options);
  let router: HttpRouter | undefined;
  const listening = await listen(
    (request, sent) =>
      router === undefined
        ? Promise.resolve(
          refusalResponse(refuse(503, "The server is starting", { headers: { "retry-after": "1" } })),
        )
        : router.answer(request, sent),
    { bind, port: options.port ?? HTTP_PORT, patient: options.json ?? false, limits },
  );
  const host = bind === "0.0.0.0"
    ? "127.0.0.1"
    : bind === "::"
    ? "[::1]"
    : bind.includes(":")
    ? `[${bind}]`
    : bind;
  const url = `http://${host}:${listening.port}/mcp`;
  let authority: Authority | undefined;
  try {
    authority = await authorityOf(options, url);
  } catch (thrown) {
    await listening.close();
    throw thrown;
  }
  const resource = options.oauth?.resource;
  const names = namesOf({
    bind,
    port: listening.port,
    allowedHosts: [
      ...options.allowedHosts ?? [],
      ...(resource === undefined ? [] : [new URL(resource).host]),
    ],
    allowedOrigins: options.allowedOrigins ?? [],
  });
  const { makeServer, acts, actsAt, refused, failed } = options;
  const current = router = new HttpRouter({
    makeServer,
    names,
    limits,
    authority,
    anybody: ANYBODY,
    sse: options.sse ?? false,
    json: options.json ?? false,
    acts: acts ?? (() => true),
    actsAt: actsAt ?? (() => false),
    refused: refused ?? (() => {}),
    failed: failed ?? (() => {}),
  });
  let closing: Promise<void> | undefined;
  return {
    url,
    port: listening.port,
    get sessions() {
      return current.sessions;
    },
    get connections() {
      return listening.connections;
    },
    close: () =>
      closing ??= (async () => {
        listening.shut();
        await current.close();
        await listening.close();
      })(),
  };
}

/** Off loopback nobody gets in without a token. Throws `usage` for a server where somebody could. */
export function checkGuarded(options: Pick<HttpOptions, "bind" | "token" | "oauth">): void {
  const bind = options.bind ?? HTTP_BIND;
  if (options.token !== undefined && options.oauth !== undefined) {
    throw new BackstepError("usage", "Cannot serve HTTP with both a token and OAuth", {
      hint: "Choose one.",
    });
  }
  if (isLoopback(bind) || options.token !== undefined || options.oauth !== undefined) return;
  throw new BackstepError(
    "usage",
    `Cannot serve HTTP on ${bind} without authorization: whoever reaches it could use this desktop`,
    { hint: "Set BACKSTEP_HTTP_TOKEN or configure OAuth, or bind to 127.0.0.1." },
  );
}

function authorityOf(options: HttpOptions, url: string): Promise<Authority | undefined> {
  if (options.oauth !== undefined) return oauth({ resource: url, ...options.oauth });
  return Promise.resolve(options.token === undefined ? undefined : sharedToken(options.token));
}
