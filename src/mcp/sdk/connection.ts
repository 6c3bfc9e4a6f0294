import { standingIn } from "../transport/auth/standing.ts";
import type { McpCall, McpSession } from "../server/call.ts";
import type { Host } from "../server/host.ts";
import type { Subscriptions } from "../session/subscriptions.ts";
import type { Tasks } from "../server/tasks.ts";
import { wireCall, type WiredCall } from "./calls.ts";
import { clientOf } from "./client.ts";
import type { Notices } from "./notices.ts";
import type { RequestId, Server } from "./sdk.ts";

/** What a connection serves, as soon as it is there. */
export interface Opened {
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
  readonly opened: Promise<Opened>;
  /** Fires when the connection has ended. */
  readonly finished: AbortSignal;
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
export function callOf({ server, notices }: Connection, { session }: Opened, extra: Extra): WiredCall {
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
export async function answered<T>(wired: WiredCall, action: (call: McpCall) => Promise<T>): Promise<T> {
  try {
    return await action(wired.call);
  } finally {
    await wired.sent();
  }
}
