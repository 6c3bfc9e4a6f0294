import type { Principal } from "../../transport/auth/authority.ts";
import { INVALID_REQUEST, type Refusal, refuse } from "../../transport/http/answers.ts";
import type { Body } from "../../transport/http/body.ts";
import { Acting } from "./acting.ts";
import { accepts } from "../../transport/http/guards.ts";
import type { HttpLimits } from "../../transport/http/limits.ts";
import type { HttpSession, HttpSessions, ServedServer } from "./sessions.ts";
import { EVENT_STREAM, LegacySse } from "./sse.ts";
import { boundedStream } from "../../transport/http/streams.ts";
import { authInfoOf, bare, full, NOT_FOUND, type Visit } from "../../transport/http/visit.ts";

/** Answers a client of 2024-11-05 with its stream, which is a session of its own. */
export async function openLegacy(
  sessions: HttpSessions,
  { limits, makeServer, acts, actsAt }: {
    readonly limits: HttpLimits;
    acts(tool: string): boolean;
    actsAt(uri: string): boolean;
    makeServer(label: string, principal: Principal): Promise<ServedServer>;
  },
  visit: Visit,
  principal: Principal,
): Promise<Response | Refusal> {
  if (!accepts(visit.request, "text/event-stream")) {
    return refuse(406, "Not acceptable: the client must accept text/event-stream");
  }
  const acting = new Acting(acts, actsAt);
  const session = await sessions.open(
    { subject: principal.subject, revision: "2024-11-05", acting },
    async (id, label) => ({
      server: await makeServer(label, principal),
      transport: new LegacySse({
        sessionId: id,
        endpoint: `/messages?sessionId=${id}`,
        keepAliveMs: limits.keepAliveMs,
      }),
    }),
  );
  if (session === undefined) return full();
  acting.watch(session.transport);
  session.inUse(visit.sent);
  const stream = boundedStream(session.transport.stream, limits.unreadBytes, principal.expires);
  return new Response(stream, { status: 200, headers: EVENT_STREAM });
}

/** Takes a message of such a client, which is answered on its stream. */
export async function takeLegacy(
  sessions: HttpSessions,
  visit: Visit,
  principal: Principal,
  read: (session: HttpSession) => Promise<Body>,
): Promise<Response | Refusal> {
  const id = visit.query.get("sessionId");
  if (id === null) return refuse(400, "The sessionId is missing");
  const session = sessions.find(id, principal.subject);
  if (session === undefined || !(session.transport instanceof LegacySse)) return NOT_FOUND;
  const body = await read(session);
  if ("refusal" in body) return body.refusal;
  session.inUse(visit.sent);
  const taken = session.transport.receive(body.json, {
    requestInfo: { headers: Object.fromEntries(bare(visit).headers) },
    authInfo: authInfoOf(principal, visit),
  });
  if (!taken) return refuse(400, "Invalid request: not a JSON-RPC message", { code: INVALID_REQUEST });
  return new Response("Accepted", { status: 202 });
}
