import { isInitializeRequest, JSONRPCMessageSchema } from "./http-sdk.ts";

/** Messages of one body at most. */
const MOST = 100;
/** Since this revision a body is one message. */
const NO_BATCHES_SINCE = "2025-06-18";

/** The messages of a body; undefined: it is none, or too many. */
export function messagesOf(json: unknown): readonly unknown[] | undefined {
  const messages: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (messages.length === 0 || messages.length > MOST) return undefined;
  return messages.every((message) => JSONRPCMessageSchema.safeParse(message).success) ? messages : undefined;
}

/** The revision that a body asks for that begins a session; undefined: it begins none. */
export function initializeOf(json: unknown): string | undefined {
  return isInitializeRequest(json) ? json.params.protocolVersion : undefined;
}

/** Whether clients of this revision may send several messages at once. */
export function mayBatch(revision: string): boolean {
  return revision < NO_BATCHES_SINCE;
}

/** The tools that messages call; "" where a call names none. */
export function toolsOf(messages: readonly unknown[]): readonly string[] {
  return messages.flatMap((message) => {
    if (typeof message !== "object" || message === null || !("method" in message)) return [];
    if (message.method !== "tools/call") return [];
    const params = "params" in message ? message.params : undefined;
    const name = typeof params === "object" && params !== null && "name" in params ? params.name : undefined;
    return [typeof name === "string" ? name : ""];
  });
}
