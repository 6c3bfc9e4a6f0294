import { randomUUID } from "node:crypto";
import type { McpCall } from "../call.ts";
import { ask, type Reply } from "./ask.ts";

/** Sends a person to where the client can be allowed to act (scenario 8). */
export async function askToAuthorize(url: string, call: McpCall): Promise<Reply["is"]> {
  const reply = await ask(call, {
    mode: "url",
    message: "Please authorize this MCP client to access the Backstep server.",
    url,
    elicitationId: `oauth-auth-${randomUUID()}`,
  });
  return reply.is;
}
