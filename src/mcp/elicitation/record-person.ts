import type { McpCall } from "../server/call.ts";
import { ask, type Reply } from "./ask.ts";

/** Asks a person whether what they do may be recorded. Accepted without the tick is a no. */
export async function confirmRecording(call: McpCall): Promise<Reply["is"]> {
  const reply = await ask(call, {
    mode: "form",
    message:
      "The client wants to record what you do with keyboard and pointer, in all applications that it may see, " +
      "until it ends the recording. It gets the steps and the texts of fields. It does not get passwords.",
    requestedSchema: {
      type: "object",
      properties: { confirm: { type: "boolean", title: "Record what I do", default: false } },
      required: ["confirm"],
    },
  });
  return reply.is === "accepted" && reply.content["confirm"] !== true ? "declined" : reply.is;
}
