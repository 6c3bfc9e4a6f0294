import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import { COLUMNS, type WorkspaceTarget } from "../wm/commands.ts";
import { type ManagedDesktop, workspaceWords } from "../wm/managed.ts";
import type { WmWindow, WmWorkspace } from "../wm/model.ts";
import { windowOwnerFor } from "./application.ts";

/** What says which window is meant. */
export interface WindowWords {
  /** As the window manager numbers it: `niri://windows/{id}`. */
  readonly id?: number | undefined;
  /** Its application: id or class of the window, process id, or what an application is found by elsewhere. */
  readonly app?: string | undefined;
  /** The whole title. */
  readonly title?: string | undefined;
}

/** What says which workspace is meant. */
export interface WorkspaceWords {
  /** As the window manager numbers it. */
  readonly id?: number | undefined;
  /** Its name, else its number on its output. */
  readonly name?: string | undefined;
  /** Only on this output. */
  readonly output?: string | undefined;
  /** One of this name comes to be where there is none. */
  readonly create?: boolean | undefined;
}

/** Windows and workspaces that an error lists. */
const LISTED = 10;

/**
 * The window that is meant; without words the one that has the focus. Errors: `not_found`, `ambiguous`; both list what is
 * there.
 */
export async function managedWindow(
  context: Context,
  manager: ManagedDesktop,
  { id, app: named, title }: WindowWords,
): Promise<WmWindow> {
  const all = await manager.windows(context.deadline.call());
  if (id !== undefined) {
    const found = all.find((one) => one.id === id);
    if (found !== undefined) return found;
    throw notThere(`window ${id}`, all);
  }
  const app = named ?? context.app;
  const own = app === undefined ? all : await ofApplication(context, all, app);
  const meant = title === undefined ? own : own.filter((one) => one.title === title);
  const focused = meant.find((one) => one.is_focused);
  const [only, ...others] = meant;
  const what = [
    title === undefined ? "a window" : `a window called ${JSON.stringify(title.slice(0, 60))}`,
    app === undefined ? "" : ` of ${app.slice(0, 60)}`,
  ].join("");
  if (only === undefined) throw notThere(what, all);
  if (others.length === 0) return only;
  if (title === undefined && focused !== undefined) return focused;
  throw new BackstepError("ambiguous", `Cannot tell which window is meant: ${meant.length} are ${what}`, {
    hint: "Say which with `title`, or with `id`.",
    details: { windows: meant.slice(0, LISTED).map(brief) },
  });
}

/** The windows of an application: by what they say of themselves, else by its process. */
async function ofApplication(
  context: Context,
  all: readonly WmWindow[],
  app: string,
): Promise<readonly WmWindow[]> {
  const wanted = folded(app);
  const own = all.filter(({ app_id, pid }) =>
    (pid !== null && String(pid) === wanted) ||
    (app_id !== null && (folded(app_id) === wanted || folded(app_id).endsWith(`.${wanted}`)))
  );
  if (own.length > 0) return own;
  try {
    const { pid } = await windowOwnerFor(context, app);
    const byPid = all.filter((one) => one.pid === pid);
    if (byPid.length > 0 || !context.desktop.capabilities.windows) return byPid;
    // i3 tells no processes: the display does, of windows that are called the same.
    const windows = (await context.desktop.windows(context.deadline.call())).filter((one) => one.pid === pid);
    return all.filter(({ pid: own, title, app_id }) =>
      own === null && windows.some((one) => one.title === title && one.windowClass === app_id)
    );
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code === "app_not_running") return [];
    throw thrown;
  }
}

function folded(name: string): string {
  return name.trim().toLowerCase().replace(/\.desktop$/, "");
}

function notThere(what: string, all: readonly WmWindow[]): BackstepError {
  return new BackstepError("not_found", `Cannot find ${what}: ${all.length} windows are there`, {
    details: { windows: all.slice(0, LISTED).map(brief) },
  });
}

function brief({ id, title, app_id, pid }: WmWindow): Json {
  return { id, title: title?.slice(0, 100) ?? null, app: app_id?.slice(0, 100) ?? null, pid };
}

/** The workspace that is meant. Errors: `not_found`, `ambiguous`; both list what is there. */
export async function managedWorkspace(
  context: Pick<Context, "deadline">,
  manager: ManagedDesktop,
  { id, name, output, create }: WorkspaceWords,
): Promise<WorkspaceTarget> {
  const all = await manager.workspaces(context.deadline.call());
  const there = output === undefined ? all : all.filter((one) => one.output === output);
  const what = id === undefined
    ? `workspace ${JSON.stringify((name ?? "").slice(0, 60))}`
    : `workspace #${id}`;
  const found = id === undefined ? called(there, name ?? "") : there.filter((one) => one.id === id);
  const [only, ...others] = found;
  const workspaces = all.slice(0, LISTED).map(shortWorkspace);
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) {
    throw new BackstepError("ambiguous", `Cannot tell which ${what} is meant: ${found.length} are`, {
      hint: "Say which with `id`, or with `output`.",
      details: { workspaces },
    });
  }
  const { named } = COLUMNS[manager.kind];
  if (create === true && named && name !== undefined) return { id: null, name };
  throw new BackstepError("not_found", `Cannot find ${what}: ${all.length} workspaces are there`, {
    hint: named && name !== undefined
      ? "With `create: true` it is made."
      : `They are ${workspaces.map((one) => one.words).join(", ")}.`,
    details: { workspaces: workspaces.map(({ words: _, ...one }) => one) },
  });
}

/** Those of this name; else, of a number, the one that has it: of the output with the focus where several have. */
function called(all: readonly WmWorkspace[], name: string): readonly WmWorkspace[] {
  const named = all.filter((one) => one.name === name);
  if (named.length > 0 || !/^\d{1,4}$/.test(name)) return named;
  // sway and i3 number workspaces by their names: "2: mail".
  const numbered = all.filter((one) => one.name?.startsWith(`${name}:`));
  if (numbered.length > 0) return numbered;
  const nth = all.filter((one) => one.name === null && one.idx === Number(name));
  const output = all.find((one) => one.is_focused)?.output;
  const here = nth.filter((one) => one.output === output);
  return here.length > 0 ? here : nth;
}

function shortWorkspace(one: WmWorkspace) {
  const { id, idx, name, output } = one;
  return { id, idx, name: name?.slice(0, 100) ?? null, output, words: workspaceWords(one) };
}
