import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { WRITES } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import type { Participant } from "../contract/participant.ts";
import { managedFocus } from "../participants/managed-focus.ts";
import { managedWindowOf } from "../participants/managed-window.ts";
import { shownWorkspaces } from "../participants/shown-workspaces.ts";
import { inaccessible } from "../session/inaccessible.ts";
import { windowWords } from "../wm/managed.ts";
import type { Application, Window, WindowAction } from "../desktop/desktop.ts";
import type { Refusal } from "../desktop/actions/attempts.ts";
import { watchUntil } from "../desktop/actions/read-back.ts";
import { changeWindow } from "../desktop/actions/window-action.ts";
import { windowOf } from "../participants/window.ts";
import { windowOwnerFor } from "./application.ts";
import { ManagedOutcome, targetWords } from "./managed-outcome.ts";
import { outcomeText } from "./outcome.ts";
import { input, type WindowInput } from "./window-input.ts";
import { changeManaged, type ManagedGoal, managedGoal, managerFor } from "./window-managed.ts";

interface DisplayGoal {
  readonly by: "display";
  /** Why the window manager is not asked; undefined: there is none that wants to be. */
  readonly silent?: BackstepError | undefined;
  readonly application: Application;
  readonly window: Window;
}

type Goal = DisplayGoal | ManagedGoal;

/** Moves, minimises, restores, raises or closes a window. */
export const window = defineOperation({
  name: "window",
  title: "Place, minimise, restore, raise or close a window, or move it to a workspace",
  description:
    "Places, minimises, restores, activates or closes a window through the window manager, or moves it to another " +
    "workspace (sway, i3, niri), and reads the result back. What an application does when its window is closed is not known beforehand.",
  input,
  output: ManagedOutcome,
  hints: WRITES,
  views: {
    yaml: { verb: "window", scalar: (value) => ({ do: String(value) }) },
    cli: {
      command: "window",
      positionals: [
        {
          property: "do",
          description: "activate, close, minimise, restore, place or move-to-workspace",
          required: true,
        },
      ],
      options: [
        { property: "title", description: "The title of the window" },
        { property: "id", kind: "number", description: "Its id, as sway, i3 or niri numbers it" },
        { property: "x", kind: "number", description: "Its left edge" },
        { property: "y", kind: "number", description: "Its upper edge" },
        { property: "width", kind: "number", description: "In pixels" },
        { property: "height", kind: "number", description: "In pixels" },
        { property: "workspace", description: "To which workspace, by name or number" },
        { property: "workspace_id", name: "workspace-id", kind: "number", description: "The same by its id" },
        {
          property: "create",
          kind: "boolean",
          description: "sway, i3: the workspace is made where there is none",
        },
      ],
      examples: [
        "backstep window minimise --app gedit",
        "backstep window place --x 0 --y 0 --app gedit",
        "backstep window move-to-workspace --workspace mail --app gedit",
      ],
      toText: (output) => outcomeText("changed", output),
    },
  },
  async resolve(context, given): Promise<Goal> {
    const route = await managerFor(context, given);
    if ("manager" in route) return await managedGoal(context, route.manager, given);
    const { silent } = route;
    const application = await windowOwnerFor(context, given.app);
    return { by: "display", silent, application, window: await windowFor(context, application, given.title) };
  },
  effect: (given) => given.do === "close" ? "irreversible" : "restorable",
  reaches(given, goal) {
    if (given.do !== "close") return [];
    const { id, title } = goal.window;
    const application = goal.by === "display"
      ? goal.application
      : inaccessible(goal.window.pid ?? 0, goal.window.app_id ?? "");
    return [{ by: "close", application, id, title: title ?? "" }];
  },
  protects: (given, goal) => given.do === "close" ? [] : protectedBy(given, goal),
  subject(given, goal) {
    if (goal.by === "display") return `${given.do} ${nameOf(goal.window)} of ${goal.application.name}`;
    const to = goal.workspace === undefined ? "" : ` to ${targetWords(goal.workspace)}`;
    return `${given.do} ${windowWords(goal.window)}${to}`;
  },
  async act(context, given, goal) {
    if (goal.by === "manager") return await changeManaged(context, given, goal);
    const { application, window, silent } = goal;
    const done = await changeWindow(context.desktop, window, actionOf(given), context.deadline);
    return {
      target: nameOf(window),
      app: application.name,
      method: done.method,
      verified: done.verified,
      ...triedBefore(silent, done.tried),
    };
  },
});

function protectedBy(given: WindowInput, goal: Goal): readonly Participant[] {
  if (goal.by === "display") return [windowOf(goal.window)];
  const { reach, window } = goal;
  const shown = [shownWorkspaces(reach), managedFocus(reach)];
  return given.do === "activate" ? shown : [managedWindowOf(reach, window), ...shown];
}

/** What was not used, and why: the window manager that should be there and does not answer is the first. */
function triedBefore(
  silent: BackstepError | undefined,
  tried: readonly Refusal[],
): { tried?: { method: string; code: string; reason: string }[] } {
  const all = [
    ...(silent
      ? [{ method: "window manager", code: silent.code, reason: silent.message.slice(0, 200) }]
      : []),
    ...tried.map((one) => ({ ...one })),
  ];
  return all.length === 0 ? {} : { tried: all };
}

function actionOf({ do: verb, x, y, width, height }: WindowInput): WindowAction {
  if (verb === "move-to-workspace") {
    throw new BackstepError("internal", "Cannot move a window to a workspace through the display");
  }
  if (verb !== "place") return { do: verb };
  return {
    do: "place",
    ...defined({ x, y, width, height }),
  };
}

function nameOf({ title }: Window): string {
  return `window ${JSON.stringify(title.slice(0, 60))}`;
}

/** The application's window of this title, which may come late; without one the active one, else the topmost. */
async function windowFor(
  context: Context,
  application: Application,
  title: string | undefined,
): Promise<Window> {
  const { desktop, deadline } = context;
  const windowsOf = async () => {
    const windows = await desktop.windows(deadline.call());
    return windows.filter((one) => one.pid === application.pid && !one.popup);
  };
  const isThere = (windows: readonly Window[]) =>
    windows.some((one) => title === undefined || one.title === title);
  const { last: own } = await watchUntil(desktop, windowsOf, isThere, deadline, application);
  const titled = title === undefined ? own : own.filter((one) => one.title === title);
  const found = title === undefined ? own.find((one) => one.active) ?? own.at(-1) : titled[0];
  if (found !== undefined && (title === undefined || titled.length === 1)) return found;
  throw new BackstepError(
    titled.length > 1 ? "ambiguous" : "not_found",
    titled.length > 1
      ? `Cannot tell which window is meant: ${titled.length} of ${application.name} are called so`
      : `Cannot find a window of ${application.name}${
        title === undefined ? "" : ` called ${JSON.stringify(title)}`
      }`,
    { details: { windows: own.slice(0, 10).map((one) => one.title.slice(0, 100)) } },
  );
}
