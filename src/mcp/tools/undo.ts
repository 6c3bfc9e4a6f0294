import { BackstepError } from "../../base/error.ts";
import { ToolFailure } from "../failure.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import type { Tool } from "../tool.ts";

/** Takes back the last acts of this session, and reads back that it did. */
export const undo: Tool = {
  toolset: "context",
  definition: DEFINITIONS.ax_undo,
  async run({ count }, call) {
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
      const { output } = await session.act("ax_undo", { count: reach }, call);
      return { structured: output };
    } catch (thrown) {
      if (!(thrown instanceof BackstepError) || thrown.code !== "drift") throw thrown;
      const left = thrown.details?.["left"];
      const names = Array.isArray(left) ? left.map(String) : [];
      throw new ToolFailure(
        "ActionFailed",
        `Not everything could be undone${names.length > 0 ? `: ${names.join(", ")}` : ""}`,
        {
          suggestion: "Look at what differs, and put it right with other tools; it is not tried again.",
          data: { ...thrown.details },
          cause: thrown,
        },
      );
    }
  },
};
