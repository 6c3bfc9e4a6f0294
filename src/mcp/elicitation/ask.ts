import { type Json, toBackstepError } from "../../base/error.ts";
import type { McpCall } from "../server/call.ts";
import type { FormRequest, UrlRequest } from "../server/client.ts";

/** What became of a question to the person at the client. */
export type Reply =
  | { readonly is: "accepted"; readonly content: { readonly [field: string]: Json } }
  | { readonly is: "declined" | "cancelled" }
  /** The client cannot ask. */
  | { readonly is: "unable" };

/** Asks the person at the client, where the client can. Nobody answering in time is as good as a cancel. */
export async function ask(call: McpCall, request: FormRequest | UrlRequest): Promise<Reply> {
  const { can } = call.client;
  if (!(request.mode === "form" ? can.form : can.url)) return { is: "unable" };
  try {
    const reported = await call.client.elicit(request, call.signal);
    if (reported.action === "accept") return { is: "accepted", content: reported.content };
    return { is: reported.action === "decline" ? "declined" : "cancelled" };
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    const { code } = toBackstepError(thrown);
    if (code === "timeout" || code === "cancelled") return { is: "cancelled" };
    throw thrown;
  } finally {
    if (request.mode === "url") await call.client.elicited(request.elicitationId);
  }
}

/** A text of an application within a message: one line, in bounds, nothing invisible in it. */
export function shown(text: string, most = 120): string {
  const plain = text.normalize("NFKC").replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}
