import { INVALID_REQUEST, refuse } from "../../transport/http/answers.ts";
import { type Body, readBody } from "../../transport/http/body.ts";
import { canSendToPage } from "./consent.ts";
import { saysJson } from "../../transport/http/guards.ts";
import type { HttpLimits } from "../../transport/http/limits.ts";
import { isInitializeRequest, JSONRPCMessageSchema } from "./sdk.ts";

/** Messages of one body at most. */
const MOST = 100;
/** Since this revision a body is one message. */
const NO_BATCHES_SINCE = "2025-06-18";

/** A POST's messages, within their bounds. */
export async function readMessages(request: Request, limits: HttpLimits): Promise<Body> {
  if (!saysJson(request)) return { refusal: refuse(415, "The body must be application/json") };
  const body = await readBody(request, limits);
  if ("refusal" in body || isMessages(body.json)) return body;
  return { refusal: refuse(400, "Invalid request: not a JSON-RPC message", { code: INVALID_REQUEST }) };
}

function isMessages(json: unknown): boolean {
  const messages = messagesIn(json);
  if (messages.length === 0 || messages.length > MOST) return false;
  return messages.every((message) => JSONRPCMessageSchema.safeParse(message).success);
}

/** What a body that begins a session says of its client; undefined: it begins none. */
export function initializeOf(
  json: unknown,
): { readonly revision: string; readonly pages: boolean } | undefined {
  if (!isInitializeRequest(json)) return undefined;
  const { protocolVersion: revision, capabilities } = json.params;
  return { revision, pages: canSendToPage(revision, capabilities.elicitation) };
}

/** Whether clients of this revision may send several messages at once. */
export function mayBatch(revision: string): boolean {
  return revision < NO_BATCHES_SINCE;
}

/** The messages of a body. */
export function messagesIn(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : json === undefined ? [] : [json];
}
