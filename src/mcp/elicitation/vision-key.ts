import { randomUUID } from "node:crypto";
import type { McpCall } from "../call.ts";
import { ask, type Reply } from "./ask.ts";

/** Where each backend's keys are made. */
const KEYS: Readonly<
  Record<string, { readonly name: string; readonly url: string; readonly variable: string }>
> = {
  anthropic: {
    name: "Anthropic",
    url: "https://console.anthropic.com/settings/keys",
    variable: "ANTHROPIC_API_KEY",
  },
  openai: { name: "OpenAI", url: "https://platform.openai.com/api-keys", variable: "OPENAI_API_KEY" },
  gemini: { name: "Gemini", url: "https://aistudio.google.com/apikey", variable: "GEMINI_API_KEY" },
};

/** The variable that holds a backend's key; undefined: it needs none. */
export function keyVariableOf(backend: string): string | undefined {
  return KEYS[backend]?.variable;
}

/** Sends a person to where the key of a vision backend is made (scenario 7). Keys are read at the start, from the environment only. */
export async function askForKey(backend: string, call: McpCall): Promise<Reply["is"]> {
  const place = KEYS[backend];
  if (!place) return "unable";
  const reply = await ask(call, {
    mode: "url",
    message: `${place.name} API key required for VLM visual search. Please add your key.`,
    url: place.url,
    elicitationId: `vlm-auth-${randomUUID()}`,
  });
  return reply.is;
}
