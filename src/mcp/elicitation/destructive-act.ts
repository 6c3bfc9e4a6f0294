import type { McpCall } from "../call.ts";
import { ask, type Reply, shown } from "./ask.ts";

/** An act on an element whose name says that something is lost. */
export interface DestructiveAct {
  /** "click", "press Return on". */
  readonly doing: string;
  /** What the element is called. */
  readonly name: string;
  readonly app: string;
}

/** Asks before an act that destroys (scenario 3). Accepted without the tick is a no. */
export async function confirmDestructive(act: DestructiveAct, call: McpCall): Promise<Reply["is"]> {
  const reply = await ask(call, {
    mode: "form",
    message: `This will ${act.doing} '${shown(act.name)}' in ${
      shown(act.app)
    }. This action may be irreversible.`,
    requestedSchema: {
      type: "object",
      properties: {
        confirm: { type: "boolean", title: "Confirm destructive action", default: false },
      },
      required: ["confirm"],
    },
  });
  return reply.is === "accepted" && reply.content["confirm"] !== true ? "declined" : reply.is;
}
