import { z } from "zod";
import { SETS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { managedFocus } from "../participants/managed-focus.ts";
import { shownWorkspaces } from "../participants/shown-workspaces.ts";
import { switchWorkspace } from "../wm/acts.ts";
import type { WorkspaceTarget } from "../wm/commands.ts";
import type { ReachManager } from "../wm/managed.ts";
import { leftBy, ManagedOutcome, targetWords } from "./managed-outcome.ts";
import { managedWorkspace } from "./managed-target.ts";
import { outcomeText } from "./outcome.ts";

const input = z.strictObject({
  name: z.string().min(1).max(200).optional().describe(
    "Its name, else its number on the output that has the focus.",
  ),
  id: z.int().min(0).optional().describe("Its id, as the window manager numbers it."),
  output: z.string().min(1).optional().describe("Only a workspace of this output."),
  create: z.boolean().optional().describe(
    "On sway and i3: where no workspace has this name, one is made. Default: false.",
  ),
}).superRefine(({ name, id }, issues) => {
  if ((name === undefined) !== (id === undefined)) return;
  issues.addIssue({ code: "custom", path: ["name"], message: "Say which with `name`, or with `id`" });
});

interface Goal {
  readonly reach: ReachManager;
  readonly workspace: WorkspaceTarget;
}

/** Shows a workspace. */
export const workspace = defineOperation({
  name: "workspace",
  title: "Switch to a workspace",
  description:
    "Shows a workspace and gives it the keyboard, through the window manager (sway, i3, niri), and reads " +
    "the result back. A rollback shows again what was shown.",
  input,
  output: ManagedOutcome,
  hints: { ...SETS, destructive: false },
  views: {
    yaml: { verb: "workspace", scalar: (value) => ({ name: String(value) }) },
    cli: {
      command: "workspace",
      positionals: [{ property: "name", description: "Its name, or its number" }],
      options: [
        { property: "id", kind: "number", description: "Its id, as the window manager numbers it" },
        { property: "output", description: "Only a workspace of this output" },
        { property: "create", kind: "boolean", description: "sway, i3: one is made where there is none" },
      ],
      examples: ["backstep workspace mail", "backstep workspace 3 --output DP-1"],
      toText: (output) => outcomeText("switched to", output),
    },
  },
  async resolve(context, given): Promise<Goal> {
    const manager = await context.manager(context.deadline.call());
    return { reach: context.manager, workspace: await managedWorkspace(context, manager, given) };
  },
  effect: () => "restorable",
  reaches: () => [],
  protects: (_given, { reach }) => [shownWorkspaces(reach), managedFocus(reach)],
  subject: (_given, goal) => targetWords(goal.workspace),
  async act({ manager: reach, deadline }, _given, goal) {
    const manager = await reach(deadline.call());
    const { method } = await switchWorkspace(manager, goal.workspace, deadline);
    return {
      target: targetWords(goal.workspace),
      method,
      verified: true,
      ...await leftBy(manager, { workspace: goal.workspace }, deadline),
    };
  },
});
