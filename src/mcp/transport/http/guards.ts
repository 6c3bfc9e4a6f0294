import { hostname, networkInterfaces } from "node:os";
import { isLoopback } from "../auth/loopback.ts";
import { type Refusal, refuse } from "./answers.ts";
import type { HttpLimits } from "./limits.ts";

/** Names and origins that a request may give. */
export interface Names {
  /** Hosts, in small letters, with their port. */
  readonly hosts: ReadonlySet<string>;
  /** Hosts without a port: any port will do, as behind a proxy. */
  readonly anyPort: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

/**
 * The names that this server goes by. A page that rebinds its own name to our address comes with that name as Host, and
 * with its own Origin: neither is here. Addresses cannot be rebound, so that each of our own is fine.
 */
export function namesOf(options: {
  readonly bind: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}): Names {
  const { bind, port } = options;
  const own = ["localhost", "127.0.0.1", "[::1]"];
  if (!isLoopback(bind)) {
    own.push(hostname().toLowerCase());
    const wildcard = bind === "0.0.0.0" || bind === "::";
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    if (wildcard) own.push(...addresses.map((each) => inUrl(each.address)));
    else own.push(inUrl(bind.toLowerCase()));
  }
  const hosts = own.flatMap((name) => port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]);
  const extra = options.allowedHosts.map((host) => host.toLowerCase());
  return {
    hosts: new Set([...hosts, ...extra]),
    anyPort: new Set(extra.filter((host) => !/:\d+$/.test(host))),
    origins: new Set([
      ...hosts.map((host) => `http://${host}`),
      ...options.allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, "")),
    ]),
  };
}

function inUrl(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/** Why a request goes no further, by its head alone; undefined: it may. */
export function faultOfRequest(request: Request, names: Names, limits: HttpLimits): Refusal | undefined {
  let count = 0;
  let bytes = request.url.length;
  for (const [name, value] of request.headers) {
    count++;
    bytes += name.length + value.length + 4;
  }
  if (count > limits.headers) return refuse(431, "Too many headers");
  if (bytes > limits.headerBytes) return refuse(431, "The headers are too large");
  const host = request.headers.get("host")?.toLowerCase();
  if (host === undefined) return refuse(400, "A request must have a Host header");
  if (!names.hosts.has(host) && !names.anyPort.has(host.replace(/:\d+$/, ""))) {
    return refuse(403, "This server does not go by that Host");
  }
  const origin = request.headers.get("origin")?.toLowerCase();
  if (origin !== undefined && !names.origins.has(origin)) {
    return refuse(403, "Pages of that Origin may not call this server");
  }
  return undefined;
}

/** What a page of an allowed origin needs to read our answers; nothing where no page asks. */
export function corsHeaders(request: Request): Readonly<Record<string, string>> {
  const origin = request.headers.get("origin");
  if (origin === null) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "mcp-session-id, mcp-protocol-version, www-authenticate, retry-after",
    "vary": "origin",
  };
}

/** What a browser asks before a page's request. */
export function preflight(methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": methods,
      "access-control-allow-headers":
        "authorization, content-type, accept, mcp-session-id, mcp-protocol-version, last-event-id",
      "access-control-max-age": "600",
    },
  });
}

/** Whether a request's body says that it is JSON. */
export function saysJson(request: Request): boolean {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  return type === "application/json";
}

/** Whether a client takes answers of each of these types. They must be listed: MCP lets no wildcard stand for them. */
export function accepts(request: Request, ...types: readonly string[]): boolean {
  const listed = (request.headers.get("accept") ?? "").toLowerCase().split(",").map((range) =>
    range.split(";")[0]?.trim()
  );
  return types.every((type) => listed.includes(type));
}
