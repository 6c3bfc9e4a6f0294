import { defined } from "../../base/defined.ts";
import { CREATE, MOVES, WINDOW_ACTED, WINDOW_ID, WORKSPACE, WORKSPACE_ID } from "../managed-parts.ts";
import { managed } from "../results.ts";
import { defineTool } from "../tool.ts";

/** Moves a window to a workspace. */
export const wmMoveWindowToWorkspace = defineTool({
  name: "wm_move_window_to_workspace",
  title: "Move a window to a workspace",
  description:
    "Moves a window to another workspace, named by workspace_id or by workspace. What is shown stays.",
  inputSchema: {
    type: "object",
    properties: { window_id: WINDOW_ID, workspace_id: WORKSPACE_ID, workspace: WORKSPACE, create: CREATE },
    required: ["window_id"],
  },
  outputSchema: WINDOW_ACTED,
  annotations: MOVES,
  toolset: "wm",
  traits: { needs: "window-manager" },
  step: {
    kind: "operation",
    operation: "window",
    toInput: ({ window_id: id, workspace_id, workspace, create }) => ({
      do: "move-to-workspace",
      ...defined({ id, workspace_id, workspace, create }),
    }),
    toResult: managed("move_window_to_workspace"),
  },
});
