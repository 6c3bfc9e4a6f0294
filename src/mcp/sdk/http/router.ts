import { defined } from "../../../base/defined.ts";
import {
  ACT_SCOPE,
  bearerOf,
  type Denial,
  type Principal,
  READ_SCOPE,
  scopeFault,
} from "../../transport/auth/authority.ts";
import { standingOf } from "../../transport/auth/standing.ts";
import { Acting } from "./acting.ts";
import { INVALID_REQUEST, type Refusal, refusalResponse, refuse } from "../../transport/http/answers.ts";
import { Consent, idOfCall } from "./consent.ts";
import { BoundedEvents, EventBudget } from "./events.ts";
import { accepts, corsHeaders, faultOfRequest, preflight } from "../../transport/http/guards.ts";
import { openLegacy, takeLegacy } from "./legacy.ts";
import { initializeOf, mayBatch, messagesIn, readMessages } from "./messages.ts";
import { SUPPORTED_PROTOCOL_VERSIONS, WebStandardStreamableHTTPServerTransport } from "./sdk.ts";
import type { RouterOptions } from "./router-options.ts";
import { type HttpSession, HttpSessions } from "./sessions.ts";
import { boundedStream } from "../../transport/http/streams.ts";
import {
  authInfoOf,
  bare,
  full,
  METADATA,
  metadataOf,
  NOT_FOUND,
  type Visit,
} from "../../transport/http/visit.ts";

/** How soon a client whose stream was closed should come back, in milliseconds. */
const RETRY_MS = 500;
const AGAIN = { "retry-after": "1" };

/** Where something is, or may be: the start of a request that is no HTTP is told as "/". */
const PATHS: ReadonlySet<string> = new Set(["/", "/mcp", "/sse", "/messages", METADATA]);

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
      // Whatever else somebody asks for may hold what nobody should write down: a token, the id of a session.
      path: PATHS.has(path) ? path : "another path",
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
    if (authority !== undefined) {
      visit = { ...visit, standing: standingOf(authority, bearerOf(request), principal) };
    }
    if (path === "/messages") {
      return await takeLegacy(this.#sessions, visit, principal, async (session) => {
        const body = await readMessages(request, this.#options.limits);
        if ("refusal" in body) return body;
        const lacks = this.#lacks(session, body.json, principal);
        if (lacks !== undefined) return { refusal: this.#denied(lacks) };
        for (const message of messagesIn(body.json)) session.about.acting.took(message);
        return body;
      });
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
      const json = await readMessages(request, this.#options.limits);
      if ("refusal" in json) return json.refusal;
      const lacks = this.#lacks(session, json.json, principal);
      if (lacks !== undefined) {
        return await this.#consent(session, json.json, principal, lacks) ?? this.#denied(lacks);
      }
      if (this.#stopping) return refuse(503, "The server is stopping", { headers: AGAIN });
      if (session === undefined) return await this.#begin(visit, principal, json.json);
      if (Array.isArray(json.json) && !mayBatch(session.about.revision)) {
        return refuse(400, "This revision of MCP knows no batches", { code: INVALID_REQUEST });
      }
      return await this.#forward(session, visit, principal, json.json);
    }
    if (session === undefined) return refuse(400, "The MCP-Session-Id header is missing");
    if (request.method === "DELETE") {
      // What acts is cut off by the end of its session.
      const lacks = session.about.acting.busy ? scopeFault(principal, ACT_SCOPE) : undefined;
      if (lacks !== undefined) return this.#denied(lacks);
      await this.#sessions.end(session.id);
      return new Response(null, { status: 200 });
    }
    session.inUse(sent);
    return await this.#forward(session, visit, principal, undefined);
  }

  /** Why the principal may not send this. */
  #lacks(session: HttpSession | undefined, json: unknown, principal: Principal): Denial | undefined {
    const acting = session?.about.acting ?? new Acting(this.#options.acts, this.#options.actsAt);
    if (!messagesIn(json).some((message) => acting.needs(message))) return undefined;
    return scopeFault(principal, ACT_SCOPE);
  }

  /** Where a person can be sent to a page that lets the client act: that. */
  async #consent(
    session: HttpSession | undefined,
    json: unknown,
    principal: Principal,
    lacks: Denial,
  ): Promise<Response | undefined> {
    const { authority, refused } = this.#options;
    const [consent, call] = [session?.about.consent, idOfCall(json)];
    if (authority === undefined || consent === undefined || call === undefined) return undefined;
    const url = await authority.consent?.(principal, lacks.scope);
    if (url === undefined) return undefined;
    refused({ status: 200, method: "POST", path: "/mcp", message: lacks.message });
    return consent.answer(call, url, lacks, authority.challenge(lacks));
  }

  /** The first request of a session. */
  async #begin(visit: Visit, principal: Principal, json: unknown): Promise<Response | Refusal> {
    const said = initializeOf(json);
    if (said === undefined) return refuse(400, "The MCP-Session-Id header is missing");
    const { limits, makeServer } = this.#options;
    const consent = said.pages ? { consent: new Consent() } : {};
    const acting = new Acting(this.#options.acts, this.#options.actsAt);
    const about = { subject: principal.subject, revision: said.revision, acting, ...consent };
    const eventStore = new BoundedEvents(limits, this.#budget);
    const session = await this.#sessions.open(about, async (id, label) => ({
      server: await makeServer(label, principal),
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
    acting.watch(session.transport);
    about.consent?.watch(session.transport, this.#options.json, this.#options.failed);
    const answered = await this.#forward(session, visit, principal, json);
    if (!(answered instanceof Response) || !answered.ok) await this.#sessions.end(session.id);
    return answered;
  }

  async #forward(
    session: HttpSession,
    visit: Visit,
    principal: Principal,
    parsedBody: unknown,
  ): Promise<Response | Refusal> {
    const { transport } = session;
    if (!(transport instanceof WebStandardStreamableHTTPServerTransport)) return NOT_FOUND;
    if (parsedBody !== undefined) this.#called(session, visit.sent);
    for (const message of messagesIn(parsedBody)) session.about.acting.took(message);
    const answered = await new Promise<Response | Refusal>((resolve, reject) => {
      // A call that is answered with JSON would hang for ever.
      const off = session.onEnd(() => resolve(NOT_FOUND));
      transport.handleRequest(bare(visit), {
        ...defined({ parsedBody }),
        authInfo: authInfoOf(principal, visit),
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
