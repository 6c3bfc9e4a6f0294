import { WINDOW_ACTED, WINDOW_ID } from "../managed-parts.ts";
import { WRITES } from "../parts.ts";
import { managed } from "../results.ts";
import { defineTool } from "../tool.ts";

/** Closes a window. */
export const wmCloseWindow = defineTool({
  name: "wm_close_window",
  title: "Close a window",
  description:
    "Asks a window to close, as a person does, and reads back that it is gone. That cannot be undone.",
  inputSchema: { type: "object", properties: { window_id: WINDOW_ID }, required: ["window_id"] },
  outputSchema: WINDOW_ACTED,
  annotations: WRITES,
  toolset: "wm",
  traits: { needs: "window-manager" },
  step: {
    kind: "operation",
    operation: "window",
    toInput: ({ window_id: id = null }) => ({ do: "close", id }),
    toResult: managed("close_window"),
  },
});
