import { z } from "zod";

const Side = z.int().min(-32_768).max(32_767);
const Length = z.int().min(1).max(32_767);

/** What `window` takes. */
export const input = z.strictObject({
  do: z.enum(["activate", "close", "minimise", "restore", "place", "move-to-workspace"]).describe(
    "What to do with it. A tiling window manager (sway, i3, niri) knows no `minimise` and no `restore`, and a window " +
      "that is placed floats.",
  ),
  id: z.int().min(0).optional().describe("Its id, as the window manager (sway, i3, niri) numbers it."),
  app: z.string().min(1).optional().describe("The application."),
  title: z.string().min(1).optional().describe(
    "The title of the window; default: the active one, or the application's last one.",
  ),
  x: Side.optional().describe("For `place`: its left edge, in pixels of the screen."),
  y: Side.optional().describe("For `place`: its upper edge."),
  width: Length.optional().describe("For `place`."),
  height: Length.optional().describe("For `place`."),
  workspace: z.string().min(1).max(200).optional().describe(
    "For `move-to-workspace`: the workspace's name, else its number on the output that has the focus.",
  ),
  workspace_id: z.int().min(0).optional().describe("For `move-to-workspace`: the workspace's id instead."),
  create: z.boolean().optional().describe(
    "For `move-to-workspace` on sway and i3: where no workspace has this name, one is made. Default: false.",
  ),
}).superRefine((value, issues) => {
  const { workspace, workspace_id, create } = value;
  const sends = value.do === "move-to-workspace";
  if (
    sends
      ? (workspace === undefined) === (workspace_id === undefined)
      : [workspace, workspace_id, create].some((one) => one !== undefined)
  ) {
    issues.addIssue({
      code: "custom",
      path: [sends ? "workspace" : "do"],
      message: sends
        ? "Say which with `workspace`, or with `workspace_id`"
        : "Only `move-to-workspace` takes a workspace",
    });
  }
  const sides = [value.x, value.y, value.width, value.height].some((side) => side !== undefined);
  if (sides === (value.do === "place")) return;
  const message = sides ? "Only `place` takes a place" : "Say at least one of x, y, width, height";
  issues.addIssue({ code: "custom", path: ["do"], message });
});

/** The same, validated. */
export type WindowInput = z.infer<typeof input>;
