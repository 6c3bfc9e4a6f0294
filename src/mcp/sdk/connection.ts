import { standingIn } from "../auth/standing.ts";
import type { McpCall } from "../call.ts";
import type { Host } from "../host.ts";
import type { McpSession } from "../session.ts";
import type { Subscriptions } from "../subscriptions.ts";
import type { Tasks } from "../tasks.ts";
import type { WiredCall } from "./calls.ts";
import { wireCall } from "./calls.ts";
import { clientOf } from "./client.ts";
import type { Notices } from "./notices.ts";
import type { RequestId, Server } from "./sdk.ts";

/** What a connection serves, as soon as it is there. */
export interface Room {
  readonly host: Host;
  readonly session: McpSession;
  readonly subscriptions: Subscriptions;
}

/** One client's connection. */
export interface Connection {
  readonly server: Server;
  readonly notices: Notices;
  readonly tasks: Tasks;
  /** Rejects where the desktop cannot be had. */
  readonly room: Promise<Room>;
  /** Fires when the connection has ended. */
  readonly ended: AbortSignal;
}

/** What the SDK says of a request beside the request. */
export interface Extra {
  readonly signal: AbortSignal;
  readonly requestId: RequestId;
  /** Who calls, over HTTP. */
  readonly authInfo?: object | undefined;
  readonly closeSSEStream?: (() => void) | undefined;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
}

/** The call of a request that is answered when it is done. */
export function callOf({ server, notices }: Connection, { session }: Room, extra: Extra): WiredCall {
  const related = () => extra.requestId;
  return wireCall({
    session,
    client: () => clientOf(server, { related, awaiting: (answer) => answer }),
    signal: extra.signal,
    notices,
    progressToken: extra._meta?.progressToken,
    related,
    letGo: extra.closeSSEStream,
    mayAct: standingIn(extra.authInfo),
  });
}

/** Does it, and answers when all that it said on the way has been sent. */
export async function answered<T>(wired: WiredCall, deed: (call: McpCall) => Promise<T>): Promise<T> {
  try {
    return await deed(wired.call);
  } finally {
    await wired.sent();
  }
}
