import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { InnerServer, ServeOptions } from "./server.ts";

/** Serves HTTP on a Unix socket with `node:http`. */
export async function serve(options: ServeOptions): Promise<InnerServer> {
  // The proxy in front has all the bounds, and cuts who is idle: two clocks for one thing would cut each other's connections.
  const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });
  server.timeout = 0;
  server.on("request", (message, response) => void answer(options, message, response));
  await listening(server, options.path);
  return {
    shutdown: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      return closed;
    },
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      // A failing accept (no descriptors left) must not end the process.
      server.on("error", () => {});
      resolve();
    });
  });
}

async function answer(
  { handler, failed }: ServeOptions,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const sent = new Promise<void>((resolve) => response.once("close", () => resolve()));
  let answered: Response;
  try {
    answered = await handler(requestOf(message, sent), sent);
  } catch {
    answered = failed();
  }
  await send(answered, response).catch(() => {
    // In the middle of an answer nothing else can be said.
    response.destroy();
  });
}

/** The request as the web's interfaces have it. Its signal fires when nobody waits for the answer any more. */
function requestOf(message: IncomingMessage, sent: Promise<void>): Request {
  const { method = "GET", url = "/", rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  }
  const gone = new AbortController();
  void sent.then(() => gone.abort());
  const bodyless = method === "GET" || method === "HEAD";
  // Who it was sent to stands in its Host, which the guards judge: an address in the first line names but a path.
  return new Request(new URL(url, "http://localhost"), {
    method,
    headers,
    signal: gone.signal,
    ...(bodyless ? {} : { body: Readable.toWeb(message), duplex: "half" }),
  });
}

/**
 * Sends a response. A stream of events goes as it comes, no faster than the client reads, and is cancelled when the client is gone.
 * All else goes whole, with its length: by that the proxy knows where it ends.
 */
async function send(answered: Response, response: ServerResponse): Promise<void> {
  const { status, statusText, headers, body } = answered;
  const fields = [...headers].flat();
  if (body === null || !isStream(headers)) {
    const bytes = new Uint8Array(await answered.arrayBuffer());
    if (body !== null) fields.push("content-length", String(bytes.byteLength));
    response.writeHead(status, statusText, fields).end(bytes);
    return;
  }
  response.writeHead(status, statusText, fields).flushHeaders();
  const reader = body.getReader();
  const gone = () => void reader.cancel().catch(() => {});
  response.once("close", gone);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (response.destroyed) return;
      if (!response.write(read.value)) await drained(response);
    }
    response.end();
  } finally {
    response.off("close", gone);
  }
}

function isStream(headers: Headers): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** Resolves when it takes more, or never will. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.once("drain", go).once("close", go);
  });
}
