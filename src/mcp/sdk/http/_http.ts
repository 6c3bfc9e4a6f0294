// What tests of the HTTP server share: a small server behind it, the SDK's own clients, and raw requests.
import { connect } from "node:net";
// @ts-types="@modelcontextprotocol/sdk/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/client/sse"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import type { Json } from "../../../base/error.ts";
import { CallToolRequestSchema, ListToolsRequestSchema, Server } from "../sdk.ts";
import { type HttpOptions, type ServedHttp, serveHttp } from "./http.ts";
import type { ServedServer } from "./sessions.ts";

/** What happened on the small server. */
export interface Seen {
  opened: number;
  closed: number;
  /** Calls of tools that came through. */
  calls: number;
  /** Calls of `wait` that were cancelled. */
  cancelled: number;
}

/** A server with `look` (echoes), `act`, `wait` (until `release`, or cancelled) and `later` (its stream is closed in between). */
export function smallServer(
  seen: Seen,
  release: Promise<void> = new Promise(() => {}),
): () => Promise<ServedServer> {
  return () => {
    seen.opened++;
    const server = new Server({ name: "small", version: "1" }, { capabilities: { tools: {}, logging: {} } });
    const tool = (name: string) => ({ name, description: name, inputSchema: { type: "object" as const } });
    server.setRequestHandler(
      ListToolsRequestSchema,
      () => ({ tools: ["look", "act", "wait", "later"].map(tool) }),
    );
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      seen.calls++;
      if (params.name === "wait") {
        const cancelled = new Promise<never>((_, reject) =>
          extra.signal.addEventListener("abort", () => {
            seen.cancelled++;
            reject(new Error("cancelled"));
          })
        );
        await extra.sendNotification({
          method: "notifications/message",
          params: { level: "info", data: "waiting" },
        });
        await Promise.race([release, cancelled]);
      }
      if (params.name === "later") {
        extra.closeSSEStream?.();
        await release;
      }
      return { content: [{ type: "text", text: JSON.stringify(params.arguments ?? {}) }] };
    });
    let closed = false;
    return Promise.resolve({
      connect: (transport) => server.connect(transport),
      close: async () => {
        if (!closed) seen.closed++;
        closed = true;
        await server.close();
      },
    });
  };
}

/** Runs a test against a server on a free port, and ends it. */
export async function withHttp(
  options: Partial<HttpOptions> & { release?: Promise<void> },
  action: (http: ServedHttp, seen: Seen) => Promise<void>,
): Promise<void> {
  const seen: Seen = { opened: 0, closed: 0, calls: 0, cancelled: 0 };
  const { release, ...rest } = options;
  const http = await serveHttp({
    makeServer: smallServer(seen, release),
    port: 0,
    acts: (tool) => tool !== "look",
    ...rest,
  });
  try {
    await action(http, seen);
  } finally {
    await http.close();
  }
}

/** The SDK's client over Streamable HTTP, connected. */
export async function streamable(
  url: string,
  init: RequestInit = {},
  fetcher: (url: string | URL, init?: RequestInit) => Promise<Response> = fetch,
): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: init, fetch: fetcher });
  await client.connect(transport);
  return { client, transport };
}

/** The SDK's client over HTTP with SSE, connected. */
export async function legacy(url: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new SSEClientTransport(new URL(url)));
  return client;
}

/** Headers of a POST that is in order. */
export const JSON_HEADERS = {
  "content-type": "application/json",
  "accept": "application/json, text/event-stream",
};

export function initialize(revision = "2025-11-25", capabilities: { [name: string]: Json } = {}): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: revision, capabilities, clientInfo: { name: "raw", version: "1" } },
  });
}

/** A POST to the server. */
export function post(
  url: string,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method: "POST", headers: { ...JSON_HEADERS, ...headers }, body });
}

/** Begins a session by hand; answers its id. */
export async function begin(
  url: string,
  headers: Record<string, string> = {},
  revision?: string,
): Promise<string> {
  const response = await post(url, initialize(revision), headers);
  await response.text();
  const id = response.headers.get("mcp-session-id");
  if (response.status !== 200 || id === null) throw new Error(`no session: ${response.status}`);
  return id;
}

/** A tools/call as it is sent. */
export function call(name: string, id: number | string = 2): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: { id } } });
}

/** Sends bytes as they are, and answers what came until the other side closed. */
export function raw(
  port: number,
  text: string,
  deadlineMs = 10_000,
): Promise<{ status: number; body: string; head: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port });
    let got = "";
    const late = setTimeout(() => socket.destroy(new Error(`no answer in ${deadlineMs} ms`)), deadlineMs);
    socket.on("connect", () => socket.write(text));
    const finish = () => {
      clearTimeout(late);
      const [head = "", ...rest] = got.split("\r\n\r\n");
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
        head,
        body: rest.join("\r\n\r\n"),
      });
    };
    socket.on("data", (chunk) => {
      got += chunk.toString("latin1");
      const length = /content-length: (\d+)/i.exec(got)?.[1];
      const at = got.indexOf("\r\n\r\n");
      if (length !== undefined && at >= 0 && got.length >= at + 4 + Number(length)) {
        socket.destroy();
        finish();
      }
    });
    socket.on("end", () => {
      socket.destroy();
      finish();
    });
    socket.on("error", (error) => {
      clearTimeout(late);
      if (got === "") reject(error);
      else finish();
    });
  });
}
