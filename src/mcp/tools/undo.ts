import { asList, asMap } from "../../base/json.ts";
import { BackstepError, type Json } from "../../base/error.ts";
import { axUndo } from "../../tools/context/undo.ts";
import type { McpCall } from "../server/call.ts";
import { ToolFailure } from "../server/failure.ts";
import type { ToolAnswer } from "../server/tool.ts";
import { quoted } from "../server/untrusted.ts";
import { served } from "./serve.ts";

/** Undoes the last actions of this session, and reads back that it did. */
export const undo = served(axUndo, async ({ count }, call) => {
  const wanted = typeof count === "number" ? count : 1;
  if (wanted < 1) {
    throw new ToolFailure("InvalidValue", `Cannot undo ${wanted} actions`, {
      suggestion: "Give a count of 1 or more.",
      data: { count: wanted },
    });
  }
  const { session } = call;
  const reach = Math.min(wanted, session.undoDepth);
  // A session that did nothing has no run, and none is begun for this.
  if (reach === 0) return { structured: { undone: 0, skipped: 0, actions: [] } };
  try {
    return answerOf((await session.act(axUndo.name, { count: reach }, call)).output, call);
  } catch (thrown) {
    if (!(thrown instanceof BackstepError) || thrown.code !== "drift") throw thrown;
    const { answer, left } = thrown.details ?? {};
    if (answer === undefined) throw thrown;
    const names = asList(left).map(String).join(", ");
    const text =
      `Not everything could be undone${
        names === "" ? "" : `: ${quoted(names)}`
      }. Look at what differs, and ` +
      "put it right with other tools; it is not tried again.";
    const reported = answerOf(asMap(answer), call);
    return { ...reported, content: [{ type: "text", text }] };
  }
});

/** What was undone and what was not; who reads the log hears of each that was not. */
function answerOf(structured: { readonly [key: string]: Json }, call: McpCall): ToolAnswer {
  const { undone = 0, skipped = 0, actions } = structured;
  for (const one of asList(actions).map(asMap)) {
    if (one["status"] === "undone") continue;
    const why = one["verdict"] ?? "irreversible";
    call.log("warning", "axterminator.tools.undo", { tool: axUndo.name, skipped: one["tool"] ?? "", why });
  }
  return { structured, log: { undone, skipped } };
}
