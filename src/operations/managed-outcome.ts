import { z } from "zod";
import type { Deadline } from "../base/call.ts";
import { defined } from "../base/defined.ts";
import type { WorkspaceTarget } from "../wm/commands.ts";
import type { ManagedDesktop } from "../wm/managed.ts";
import type { WmWindow } from "../wm/model.ts";
import { Outcome } from "./outcome.ts";

const Side = z.number();
const Rect = z.strictObject({ x: Side, y: Side, width: Side, height: Side }).nullable();

/** A window, as its window manager tells it. */
const ManagedWindow = z.looseObject({
  id: z.number(),
  title: z.string().nullable(),
  app_id: z.string().nullable(),
  pid: z.number().nullable(),
  workspace_id: z.number().nullable(),
  is_focused: z.boolean(),
  is_floating: z.boolean(),
  is_urgent: z.boolean().nullable(),
  rect: Rect,
  content: Rect,
  is_visible: z.boolean().nullable(),
}).describe("The window as it was read back from the window manager.");

/** A workspace, as its window manager tells it. */
const ManagedWorkspace = z.looseObject({
  id: z.number(),
  idx: z.number(),
  name: z.string().nullable(),
  output: z.string().nullable(),
  is_urgent: z.boolean().nullable(),
  is_active: z.boolean(),
  is_focused: z.boolean(),
  active_window_id: z.number().nullable(),
}).describe("The workspace as it was read back from the window manager.");

/** What an act answers that a window manager may have done. */
export const ManagedOutcome = Outcome.extend({
  window: ManagedWindow.optional(),
  workspace: ManagedWorkspace.optional(),
});

/** What an act left, read back: the window, and the workspace that it is on or that is meant. */
export async function leftBy(
  manager: ManagedDesktop,
  { window, workspace }: { readonly window?: WmWindow; readonly workspace?: WorkspaceTarget },
  deadline: Deadline,
): Promise<Pick<z.infer<typeof ManagedOutcome>, "window" | "workspace">> {
  const now = window && (await manager.windows(deadline.call())).find(({ id }) => id === window.id);
  const all = await manager.workspaces(deadline.call());
  // A window that was closed leaves the workspace that it was on.
  const meant = workspace === undefined
    ? all.find(({ id }) => id === (now ?? window)?.workspace_id)
    : all.find((one) => one.id === workspace.id) ?? all.find((one) => one.name === workspace.name);
  return defined({ window: now && plainWindow(now), workspace: meant && { ...meant } });
}

function plainWindow({ rect, content, ...rest }: WmWindow) {
  return { ...rest, rect: rect && { ...rect }, content: content && { ...content } };
}

/** For people: a workspace that may be gone. */
export function targetWords(target: WorkspaceTarget): string {
  return target.name === null
    ? `workspace #${target.id}`
    : `workspace ${JSON.stringify(target.name.slice(0, 60))}`;
}
