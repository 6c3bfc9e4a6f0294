import { randomUUID } from "node:crypto";
import { ACT_SCOPE, type Denial } from "../../transport/auth/authority.ts";
import { URL_ELICITATION_REQUIRED } from "../../server/wire.ts";
import type { Transport } from "./sdk.ts";

/** Since this revision a client can be sent to a page. */
const SINCE = "2025-11-25";
const MESSAGE = "Please authorize this MCP client to act on the desktop through the Backstep server.";

/** Whether a client that begins a session like this can send its person to a page. */
export function canSendToPage(
  revision: string,
  elicitation: { readonly url?: unknown } | undefined,
): boolean {
  return revision >= SINCE && elicitation?.url !== undefined;
}

/** The id of a call that stands alone; undefined: there are several messages, it wants no answer, or is one. */
export function idOfCall(json: unknown): string | number | undefined {
  if (typeof json !== "object" || json === null || !("id" in json) || !("method" in json)) return undefined;
  return typeof json.id === "string" || typeof json.id === "number" ? json.id : undefined;
}

/**
 * The consent that one session waits for (elicitation scenario 8). However many calls are refused, it is one question with
 * one id, until a token comes that may act.
 */
export class Consent {
  #pending: string | undefined;

  /**
   * What a call is answered with that its token does not suffice for. The status is 200: with 403 the SDK's client throws
   * in its transport, and who called never sees the error of JSON-RPC, let alone the page.
   */
  answer(call: string | number, url: string, denial: Denial, challenge: string): Response {
    const elicitationId = this.#pending ??= `oauth-auth-${randomUUID()}`;
    const elicitations = [{ mode: "url", message: MESSAGE, url, elicitationId }];
    const error = {
      code: URL_ELICITATION_REQUIRED,
      message: denial.message,
      data: { elicitations, scope: denial.scope },
    };
    return new Response(JSON.stringify({ jsonrpc: "2.0", id: call, error }), {
      status: 200,
      headers: {
        "content-type": "application/json",
        "cache-control": "no-store",
        "www-authenticate": challenge,
      },
    });
  }

  /**
   * Tells the client, with its first request whose token may act, that the consent was given: on that request's own stream,
   * before its answer. Where answers are JSON there is none, and it goes to the stream that the client keeps open.
   */
  watch(transport: Transport, json: boolean, failed: (thrown: unknown) => void): void {
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      const elicitationId = this.#pending;
      if (
        elicitationId !== undefined && "method" in message && "id" in message &&
        extra?.authInfo?.scopes.includes(ACT_SCOPE)
      ) {
        this.#pending = undefined;
        transport.send(
          { jsonrpc: "2.0", method: "notifications/elicitation/complete", params: { elicitationId } },
          json ? {} : { relatedRequestId: message.id },
        ).catch(failed);
      }
      onmessage?.(message, extra);
    };
  }
}
