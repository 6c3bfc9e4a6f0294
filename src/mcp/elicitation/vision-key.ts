import { randomUUID } from "node:crypto";
import type { McpCall } from "../server/call.ts";
import { ask, type Reply } from "./ask.ts";

/** Names of backends as people know them. */
const NAMES: Readonly<Record<string, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  gemini: "Gemini",
};

/**
 * Sends a person to where the key of a vision backend is made (scenario 7). Keys are read from the environment only, so that
 * one takes effect when the server is started with it.
 */
export async function askForKey(backend: string, url: string, call: McpCall): Promise<Reply["is"]> {
  const reply = await ask(call, {
    mode: "url",
    message: `${NAMES[backend] ?? backend} API key required for VLM visual search. Please add your key.`,
    url,
    elicitationId: `vlm-auth-${randomUUID()}`,
  });
  return reply.is;
}
