import { SETS_FOCUS, WINDOW_ACTED, WINDOW_ID } from "../managed-parts.ts";
import { managed } from "../results.ts";
import { defineTool } from "../tool.ts";

/** Gives a window the keyboard. */
export const wmFocusWindow = defineTool({
  name: "wm_focus_window",
  title: "Focus a window",
  description: "Gives a window the keyboard through the window manager; its workspace is shown with it.",
  inputSchema: { type: "object", properties: { window_id: WINDOW_ID }, required: ["window_id"] },
  outputSchema: WINDOW_ACTED,
  annotations: SETS_FOCUS,
  toolset: "wm",
  traits: { needs: "window-manager" },
  step: {
    kind: "operation",
    operation: "window",
    toInput: ({ window_id: id = null }) => ({ do: "activate", id }),
    toResult: managed("focus_window"),
  },
});
