import { defined } from "../../base/defined.ts";
import { CREATE, SETS_FOCUS, WORKSPACE, WORKSPACE_ACTED, WORKSPACE_ID } from "../managed-parts.ts";
import { managed } from "../results.ts";
import { defineTool } from "../tool.ts";

/** Shows a workspace. */
export const wmSwitchWorkspace = defineTool({
  name: "wm_switch_workspace",
  title: "Switch to a workspace",
  description: "Shows a workspace, named by workspace_id or by workspace, and gives it the keyboard.",
  inputSchema: {
    type: "object",
    properties: { workspace_id: WORKSPACE_ID, workspace: WORKSPACE, create: CREATE },
  },
  outputSchema: WORKSPACE_ACTED,
  annotations: SETS_FOCUS,
  toolset: "wm",
  traits: { needs: "window-manager" },
  step: {
    kind: "operation",
    operation: "workspace",
    toInput: ({ workspace_id: id, workspace: name, create }) => defined({ id, name, create }),
    toResult: managed("switch_workspace"),
  },
});
