import { randomBytes } from "node:crypto";
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { BackstepError, toBackstepError } from "../base/error.ts";
import { pageDocument } from "./document.ts";
import { Guard } from "./guard.ts";
import type { Routes } from "./routes.ts";
import { eventText, Stream } from "./stream.ts";

/** Bytes of a question. */
const MOST = 2 * 1024 * 1024;

/** A server of the inspector page. */
export interface Served {
  /** Where the page is, with the token in its fragment, which no browser sends anywhere. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Lets pages come anew: something else is shown from now on. Resolves when what was shown is looked at no more. */
  renew(): Promise<void>;
  /** Ends it: pages that are open are told nothing more. */
  close(): Promise<void>;
}

/** Serves the page on the loopback alone, at a port that the system chooses. */
export async function serve(routes: Routes): Promise<Served> {
  const token = randomBytes(24).toString("base64url");
  const open = new Set<Stream>();
  const ends = new Set<Promise<void>>();
  /** There is none before the port is chosen, and nobody who could ask. */
  const gate: { guard?: Guard } = {};
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      const error = toBackstepError(thrown);
      if (response.headersSent) response.destroy();
      else refuse(response, error.code === "internal" ? 500 : 422, error);
    });
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of HEADERS) response.setHeader(name, value);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://inspector");
    const page = request.method === "GET" && pathname === "/";
    const { guard } = gate;
    if (guard === undefined) return refuse(response, 503, new BackstepError("refused", "Not ready yet"));
    const denied = page ? guard.page(request.headers) : guard.call(request.headers);
    if (denied) return refuse(response, denied.status, new BackstepError("policy", denied.why));
    if (page) {
      const { html, policy } = pageDocument();
      response.setHeader("content-security-policy", policy);
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
      return;
    }
    if (request.method === "GET" && pathname === "/api/notices") {
      const stream = opened(new Stream(response, "text/event-stream"));
      let waiting = false;
      const tell = (event: string, data: unknown) => {
        // A page that takes nothing any more is let go: it comes back, and is told everything anew.
        if (waiting) return stream.end();
        waiting = !stream.write(eventText(event, data));
        if (waiting) stream.drained(() => waiting = false);
      };
      const end = await routes.notices({ tell }, searchParams.get("app") ?? undefined);
      return following(stream, end);
    }
    if (request.method === "GET" && pathname === "/api/picture") {
      const { screen } = routes;
      if (screen === undefined) {
        return refuse(response, 404, new BackstepError("no_desktop", "There is no desktop here now"));
      }
      const stream = opened(new Stream(response, "application/octet-stream"));
      const viewer = {
        picture: (message: Uint8Array) => {
          const took = stream.write(message);
          if (!took) stream.drained(() => screen.ready(viewer));
          return took;
        },
        blind: () => stream.end(),
      };
      screen.add(viewer);
      return following(stream, () => screen.remove(viewer));
    }
    if (request.method !== "POST" || !pathname.startsWith("/api/")) {
      return refuse(response, 404, new BackstepError("not_found", "There is nothing here"));
    }
    if (request.headers["content-type"] !== "application/json") {
      return refuse(response, 415, new BackstepError("invalid", "Questions are JSON"));
    }
    const body = await bodyOf(request);
    const reported = await routes.ask(pathname.slice("/api/".length), body);
    response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(reported ?? null));
  };
  const opened = (stream: Stream): Stream => {
    open.add(stream);
    return stream;
  };
  const following = (stream: Stream, end: () => Promise<void>): void => {
    const ending = stream.gone.then(() => {
      open.delete(stream);
      return end();
    }).finally(() => ends.delete(ending));
    ends.add(ending);
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new BackstepError("internal", "Cannot serve the inspector: it has no port");
  }
  const { port } = address;
  gate.guard = new Guard(port, token);
  return {
    url: `http://127.0.0.1:${port}/#${token}`,
    port,
    token,
    async renew() {
      const before = [...ends];
      for (const stream of open) stream.end();
      await Promise.all(before);
    },
    async close() {
      for (const stream of open) stream.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(ends);
    },
  };
}

const HEADERS: readonly (readonly [string, string])[] = [
  ["cache-control", "no-store"],
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-resource-policy", "same-origin"],
  ["cross-origin-opener-policy", "same-origin"],
];

function refuse(response: ServerResponse, status: number, error: BackstepError): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify({ error: error.toJSON() }));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > MOST) throw new BackstepError("limit", `Cannot read the question: it is over ${MOST} bytes`);
    parts.push(part);
  }
  const text = new TextDecoder().decode(Buffer.concat(parts));
  try {
    return JSON.parse(text === "" ? "null" : text);
  } catch (cause) {
    throw new BackstepError("invalid", "Cannot read the question: it is no JSON", { cause });
  }
}
