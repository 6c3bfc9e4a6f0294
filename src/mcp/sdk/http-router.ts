import {
  ACT_SCOPE,
  type Authority,
  bearerOf,
  type Denial,
  type Principal,
  READ_SCOPE,
  scopeFault,
} from "../auth/authority.ts";
import { INVALID_REQUEST, type Refusal, refusalResponse, refuse } from "./http-answers.ts";
import { type Body, readBody } from "./http-body.ts";
import { BoundedEvents, EventBudget } from "./http-events.ts";
import { accepts, corsHeaders, faultOfRequest, type Names, preflight, saysJson } from "./http-guards.ts";
import { openLegacy, takeLegacy } from "./http-legacy.ts";
import type { HttpLimits } from "./http-limits.ts";
import { initializeOf, mayBatch, messagesOf, toolsOf } from "./http-messages.ts";
import { SUPPORTED_PROTOCOL_VERSIONS, WebStandardStreamableHTTPServerTransport } from "./http-sdk.ts";
import { type HttpSession, HttpSessions, type ServedServer } from "./http-sessions.ts";
import { boundedStream } from "./http-streams.ts";
import { authInfoOf, bare, full, METADATA, metadataOf, NOT_FOUND, type Visit } from "./http-visit.ts";

/** A request that was refused. */
export interface Refused {
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly message: string;
}

/** What a router goes by. */
export interface RouterOptions {
  makeServer(sessionId: string, principal: Principal): Promise<ServedServer>;
  readonly names: Names;
  readonly limits: HttpLimits;
  /** Undefined: nobody is asked for a token. */
  readonly authority: Authority | undefined;
  /** Who everybody is then. */
  readonly anybody: Principal;
  readonly sse: boolean;
  readonly json: boolean;
  acts(tool: string): boolean;
  refused(what: Refused): void;
  /** Told where a session could not be ended in order. */
  failed(thrown: unknown): void;
}

/** How soon a client whose stream was closed should come back, in milliseconds. */
const RETRY_MS = 500;
const AGAIN = { "retry-after": "1" };

/** Leads each request past the guards to its session. */
export class HttpRouter {
  readonly #options: RouterOptions;
  readonly #sessions: HttpSessions;
  readonly #budget: EventBudget;
  /** Calls that are being answered. */
  readonly #calls = new Set<Promise<void>>();
  #stopping = false;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#budget = new EventBudget(options.limits.allEventBytes);
    this.#sessions = new HttpSessions(options.limits, options.failed);
  }

  /** Sessions that are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Waits for calls in flight as long as they may take, and ends all sessions. */
  async close(): Promise<void> {
    this.#stopping = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, this.#options.limits.graceMs));
    await Promise.race([Promise.all(this.#calls), late]);
    clearTimeout(timer);
    await this.#sessions.close();
  }

  /** Answers a request, whatever it is. */
  async answer(request: Request, sent: Promise<void>): Promise<Response> {
    const fault = faultOfRequest(request, this.#options.names, this.#options.limits);
    const { pathname: path, searchParams: query } = fault ? new URL("http://x/") : new URL(request.url);
    const answered = fault ?? await this.#route({ request, path, query, sent });
    if (answered instanceof Response) {
      // An Origin that came so far is one of ours.
      for (const [name, value] of Object.entries(corsHeaders(request))) answered.headers.set(name, value);
      return answered;
    }
    this.#options.refused({
      status: answered.status,
      method: request.method,
      path,
      message: answered.message,
    });
    const response = refusalResponse(answered);
    if (fault === undefined) {
      for (const [name, value] of Object.entries(corsHeaders(request))) response.headers.set(name, value);
    }
    return response;
  }

  async #route(visit: Visit): Promise<Response | Refusal> {
    const { request, path } = visit;
    const { authority, sse } = this.#options;
    if (this.#stopping) return refuse(503, "The server is stopping", { headers: AGAIN });
    if (authority?.metadata !== undefined && (path === METADATA || path.startsWith(`${METADATA}/`))) {
      return metadataOf(request, path, authority.metadata);
    }
    const methods = path === "/mcp"
      ? "GET, POST, DELETE"
      : sse && path === "/sse"
      ? "GET, POST, DELETE"
      : sse && path === "/messages"
      ? "POST"
      : undefined;
    if (methods === undefined) return refuse(404, "Nothing is here; MCP is served at /mcp");
    if (request.method === "OPTIONS" && request.headers.has("origin")) return preflight(methods);
    if (!methods.split(", ").includes(request.method)) {
      return refuse(405, "Method not allowed", { headers: { "allow": methods } });
    }
    const principal = await this.#judge(request);
    if ("status" in principal) return this.#denied(principal);
    const lacks = scopeFault(principal, READ_SCOPE);
    if (lacks !== undefined) return this.#denied(lacks);
    if (path === "/messages") {
      return await takeLegacy(this.#sessions, visit, principal, () => this.#read(request, principal));
    }
    const id = request.headers.get("mcp-session-id");
    // A client of 2024-11-05 asks for its stream first, and knows no session.
    if (sse && request.method === "GET" && id === null) {
      return await openLegacy(this.#sessions, this.#options, visit, principal);
    }
    return await this.#streamable(visit, principal, id);
  }

  #judge(request: Request): Promise<Principal | Denial> {
    const { authority, anybody } = this.#options;
    return authority === undefined ? Promise.resolve(anybody) : authority.judge(bearerOf(request));
  }

  #denied(denial: Denial): Refusal {
    const challenge = this.#options.authority?.challenge(denial);
    const headers = denial.status === 503
      ? AGAIN
      : challenge === undefined
      ? {}
      : { "www-authenticate": challenge };
    const data = denial.error === "insufficient_scope" ? { data: { scope: denial.scope } } : {};
    return refuse(denial.status, denial.message, { headers, ...data });
  }

  /** GET, POST and DELETE of Streamable HTTP. */
  async #streamable(visit: Visit, principal: Principal, id: string | null): Promise<Response | Refusal> {
    const { request, sent } = visit;
    const revision = request.headers.get("mcp-protocol-version");
    if (revision !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) {
      return refuse(400, "Unsupported MCP-Protocol-Version", {
        data: { supported: SUPPORTED_PROTOCOL_VERSIONS },
      });
    }
    const wanted = request.method === "POST"
      ? ["application/json", "text/event-stream"]
      : ["text/event-stream"];
    if (request.method !== "DELETE" && !accepts(request, ...wanted)) {
      return refuse(406, `Not acceptable: the client must accept ${wanted.join(" and ")}`);
    }
    const session = id === null ? undefined : this.#sessions.find(id, principal.subject);
    if (id !== null && session === undefined) return NOT_FOUND;
    if (request.method === "POST") {
      const json = await this.#read(request, principal);
      if ("refusal" in json) return json.refusal;
      if (this.#stopping) return refuse(503, "The server is stopping", { headers: AGAIN });
      if (session === undefined) return await this.#begin(visit, principal, json.json);
      if (Array.isArray(json.json) && !mayBatch(session.about.revision)) {
        return refuse(400, "This revision of MCP knows no batches", { code: INVALID_REQUEST });
      }
      return await this.#hand(session, visit, principal, json.json);
    }
    if (session === undefined) return refuse(400, "The MCP-Session-Id header is missing");
    if (request.method === "DELETE") {
      await this.#sessions.end(session.id);
      return new Response(null, { status: 200 });
    }
    session.inUse(sent);
    return await this.#hand(session, visit, principal, undefined);
  }

  /** A POST's messages, where the principal may send them. */
  async #read(request: Request, principal: Principal): Promise<Body> {
    if (!saysJson(request)) return { refusal: refuse(415, "The body must be application/json") };
    const body = await readBody(request, this.#options.limits);
    if ("refusal" in body) return body;
    const messages = messagesOf(body.json);
    if (messages === undefined) {
      return { refusal: refuse(400, "Invalid request: not a JSON-RPC message", { code: INVALID_REQUEST }) };
    }
    if (toolsOf(messages).some((tool) => this.#options.acts(tool))) {
      const lacks = scopeFault(principal, ACT_SCOPE);
      if (lacks !== undefined) return { refusal: this.#denied(lacks) };
    }
    return body;
  }

  /** The first request of a session. */
  async #begin(visit: Visit, principal: Principal, json: unknown): Promise<Response | Refusal> {
    const revision = initializeOf(json);
    if (revision === undefined) return refuse(400, "The MCP-Session-Id header is missing");
    const { limits, makeServer } = this.#options;
    const eventStore = new BoundedEvents(limits, this.#budget);
    const session = await this.#sessions.open({ subject: principal.subject, revision }, async (id) => ({
      server: await makeServer(id, principal),
      transport: new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        eventStore,
        enableJsonResponse: this.#options.json,
        retryInterval: RETRY_MS,
        keepAliveMs: limits.keepAliveMs,
      }),
    }));
    if (session === undefined) return full();
    session.onEnd(() => eventStore.clear());
    const answered = await this.#hand(session, visit, principal, json);
    if (!(answered instanceof Response) || !answered.ok) await this.#sessions.end(session.id);
    return answered;
  }

  async #hand(
    session: HttpSession,
    visit: Visit,
    principal: Principal,
    parsedBody: unknown,
  ): Promise<Response | Refusal> {
    const { transport } = session;
    if (!(transport instanceof WebStandardStreamableHTTPServerTransport)) return NOT_FOUND;
    if (parsedBody !== undefined) this.#called(session, visit.sent);
    const answered = await new Promise<Response | Refusal>((resolve, reject) => {
      // A call that is answered with JSON would hang for ever.
      const off = session.onEnd(() => resolve(NOT_FOUND));
      transport.handleRequest(bare(visit), {
        ...(parsedBody === undefined ? {} : { parsedBody }),
        authInfo: authInfoOf(principal),
      }).then(resolve, reject).finally(off);
    });
    if (!(answered instanceof Response) || answered.body === null) return answered;
    if (!answered.headers.get("content-type")?.startsWith("text/event-stream")) return answered;
    const until = visit.request.method === "GET" ? principal.expires : undefined;
    return new Response(boundedStream(answered.body, this.#options.limits.unreadBytes, until), {
      status: answered.status,
      headers: answered.headers,
    });
  }

  #called(session: HttpSession, sent: Promise<void>): void {
    session.inUse(sent);
    this.#calls.add(sent);
    sent.finally(() => this.#calls.delete(sent));
  }
}
