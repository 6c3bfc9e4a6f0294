import { Buffer } from "node:buffer";
import type { Call } from "../../base/call.ts";
import type { Frame } from "../../desktop/desktop.ts";
import { encodePng } from "../../operations/png.ts";
import type { Ask } from "../../vision/ask.ts";
import type { McpClient, Sampled } from "../server/client.ts";

/** How much the client's model is to think, cost and hurry where it looks at pictures. */
export const SEEING = { intelligencePriority: 0.8, costPriority: 0.3, speedPriority: 0.5 } as const;

/** The client's own model as one who looks at pictures; undefined where the client offers none. */
export function askOf(client: McpClient): Ask | undefined {
  if (!client.can.sampling) return undefined;
  return async (picture: Frame, question: string, { signal, timeout = 120_000 }: Call) => {
    const over = AbortSignal.timeout(Math.ceil(timeout));
    return textOf(
      await client.sample({
        messages: [{
          role: "user",
          content: [pngContent(picture), { type: "text", text: question }],
        }],
        systemPrompt:
          "You find elements in pictures of desktop applications. Answer in the JSON that is asked for.",
        maxTokens: 1_000,
        modelPreferences: SEEING,
      }, signal ? AbortSignal.any([signal, over]) : over),
    );
  };
}

/** A picture as content for a model. */
function pngContent(picture: Frame) {
  return {
    type: "image",
    data: Buffer.from(encodePng(picture)).toString("base64"),
    mimeType: "image/png",
  } as const;
}

/** Everything that the model wrote. */
export function textOf({ content }: Sampled): string {
  return content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
}
