import { BackstepError, toBackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Context } from "../contract/operation.ts";
import { closeWindow, focusWindow, sendWindow, type WmDone } from "../wm/acts.ts";
import { COLUMNS, type WorkspaceTarget } from "../wm/commands.ts";
import { type ManagedDesktop, noManager, type ReachManager, windowWords } from "../wm/managed.ts";
import type { WmWindow } from "../wm/model.ts";
import { placeWindow } from "../wm/place.ts";
import { leftBy } from "./managed-outcome.ts";
import { managedWindow, managedWorkspace } from "./managed-target.ts";
import type { WindowInput } from "./window-input.ts";

/** A window that the window manager itself acts on. */
export interface ManagedGoal {
  readonly by: "manager";
  readonly reach: ReachManager;
  readonly window: WmWindow;
  /** Where it is to be moved to. */
  readonly workspace?: WorkspaceTarget;
}

/**
 * The window manager, where it is the one to act: it tiles, or the display lists no windows, or only it knows what is meant.
 * Else the display acts; `silent` says why a window manager that should be there was not asked.
 */
export async function managerFor(
  context: Context,
  { do: verb, id }: WindowInput,
): Promise<{ readonly manager: ManagedDesktop } | { readonly silent?: BackstepError }> {
  const needed = id !== undefined || verb === "move-to-workspace" || !context.desktop.capabilities.windows;
  try {
    const manager = await context.manager(context.deadline.call());
    return needed || COLUMNS[manager.kind].tiles ? { manager } : {};
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code === "unsupported" && needed) throw noManager(`${verb} a window`);
    if (needed || (error.code !== "unsupported" && error.code !== "no_desktop")) throw thrown;
    return error.code === "unsupported" ? {} : { silent: error };
  }
}

/** What is meant, by the window manager's own account. */
export async function managedGoal(
  context: Context,
  manager: ManagedDesktop,
  given: WindowInput,
): Promise<ManagedGoal> {
  const { do: verb, workspace: name, workspace_id: id, create } = given;
  if (verb === "minimise" || verb === "restore") {
    throw new BackstepError("unsupported", `Cannot ${verb} a window: ${manager.kind} knows no such thing`, {
      hint: "Move it to another workspace instead: do: move-to-workspace.",
    });
  }
  const window = await managedWindow(context, manager, given);
  const goal = { by: "manager", reach: context.manager, window } as const;
  if (verb !== "move-to-workspace") return goal;
  return { ...goal, workspace: await managedWorkspace(context, manager, defined({ id, name, create })) };
}

/** Does it, and reads back what it left. */
export async function changeManaged(
  { manager: reach, deadline }: Context,
  given: WindowInput,
  { window, workspace }: ManagedGoal,
) {
  const manager = await reach(deadline.call());
  const { method } = await change();
  return {
    target: windowWords(window),
    ...defined({ app: window.app_id ?? undefined }),
    method,
    verified: true,
    ...await leftBy(manager, defined({ window, workspace }), deadline),
  };

  async function change(): Promise<WmDone> {
    if (workspace !== undefined) return await sendWindow(manager, window, workspace, deadline);
    if (given.do === "close") return await closeWindow(manager, window, deadline);
    if (given.do === "place") return await placeWindow(manager, window, given, deadline);
    return await focusWindow(manager, window, deadline);
  }
}
