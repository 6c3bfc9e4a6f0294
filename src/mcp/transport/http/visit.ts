import type { Authority, Principal } from "../auth/authority.ts";
import { type Standing, withStanding } from "../auth/standing.ts";
import { jsonResponse, NO_SESSION, type Refusal, refuse } from "./answers.ts";
import { preflight } from "./guards.ts";

/** Where RFC 9728 puts a resource's metadata. */
export const METADATA = "/.well-known/oauth-protected-resource";
/** There is no such session, or it is another's. */
export const NOT_FOUND = refuse(404, "Session not found", { code: NO_SESSION });

/** A request on its way through the guards. */
export interface Visit {
  readonly request: Request;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly sent: Promise<void>;
  /** Judges its token once more; undefined: none is asked for. */
  readonly standing?: Standing;
}

/** There are as many sessions as there may be. */
export function full(): Refusal {
  return refuse(503, "There are as many sessions as there may be", { headers: { "retry-after": "30" } });
}

/** The protected resource metadata of RFC 9728. */
export function metadataOf(
  request: Request,
  path: string,
  metadata: NonNullable<Authority["metadata"]>,
): Response | Refusal {
  if (path !== METADATA && path !== `${METADATA}/mcp`) return refuse(404, "No such resource");
  if (request.method === "OPTIONS") return preflight("GET");
  if (request.method !== "GET") return refuse(405, "Method not allowed", { headers: { "allow": "GET" } });
  return jsonResponse({ ...metadata }, { "cache-control": "max-age=300" });
}

/** A request as the SDK may see it: its body was read already, and secrets are nobody's business. */
export function bare({ request, path }: Visit): Request {
  const headers = new Headers(request.headers);
  for (const secret of ["authorization", "cookie", "proxy-authorization"]) headers.delete(secret);
  return new Request(`http://localhost${path}`, { method: request.method, headers });
}

/** What the SDK tells handlers of who calls: never the token itself. */
export function authInfoOf(principal: Principal, { standing }: Visit) {
  const info = {
    token: "",
    clientId: principal.client,
    scopes: [...principal.scopes],
    extra: { subject: principal.subject },
  };
  return withStanding(info, standing);
}
