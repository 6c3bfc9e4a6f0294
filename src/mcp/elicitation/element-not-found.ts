import type { McpCall } from "../server/call.ts";
import { ask, shown } from "./ask.ts";

/** How a person describes what was not found. */
export interface Described {
  readonly description: string;
  readonly visual: boolean;
}

/** Asks for another description of an element that was not found (scenario 2). Undefined: there is none. */
export async function describeOtherwise(
  query: string,
  app: string,
  call: McpCall,
): Promise<Described | undefined> {
  const reply = await ask(call, {
    mode: "form",
    message: `Could not find '${shown(query)}' in ${shown(app)}. Can you describe it differently?`,
    requestedSchema: {
      type: "object",
      properties: {
        description: { type: "string", title: "Alternative description" },
        use_visual: { type: "boolean", title: "Try AI vision search?", default: true },
      },
      required: ["description"],
    },
  });
  if (reply.is !== "accepted") return undefined;
  const { description, use_visual: visual } = reply.content;
  if (typeof description !== "string" || description.trim() === "") return undefined;
  return { description: description.trim().slice(0, 1_000), visual: visual !== false };
}
