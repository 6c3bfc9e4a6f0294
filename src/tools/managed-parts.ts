import { ACTED } from "./parts.ts";
import type { ToolHints } from "./tool.ts";

/** A window, as `niri://windows` numbers it. */
export const WINDOW_ID = {
  type: "integer",
  minimum: 0,
  description: "Id of the window, as the resources niri://windows/{id} have it",
} as const;

/** A workspace, as `niri://outputs/{name}/workspaces` numbers it. */
export const WORKSPACE_ID = {
  type: "integer",
  minimum: 0,
  description: "Id of the workspace, as the resources niri://outputs/{name}/workspaces/{id} have it",
} as const;

/** A workspace by what people call it. */
export const WORKSPACE = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  description: "Instead of workspace_id: its name, else its number on the output that has the focus",
} as const;

/** May it come to be? */
export const CREATE = {
  type: "boolean",
  default: false,
  description: "sway and i3: where no workspace has this name, one is made",
} as const;

const FOUND = {
  window: { type: "object", description: "The window, as it was read back" },
  workspace: {
    type: "object",
    description: "The workspace that it is on, or that is shown, as it was read back",
  },
} as const;

/** What an act on a window answers. */
export const WINDOW_ACTED = { ...ACTED, properties: { ...ACTED.properties, ...FOUND } } as const;

/** What an act on a workspace answers. */
export const WORKSPACE_ACTED = {
  ...ACTED,
  properties: { ...ACTED.properties, workspace: FOUND.workspace },
} as const;

/** It changes what is shown, the same however often it is repeated, and nothing of it is lost. */
export const SETS_FOCUS: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** It moves what is there: to be there already is no change. */
export const MOVES: ToolHints = SETS_FOCUS;
