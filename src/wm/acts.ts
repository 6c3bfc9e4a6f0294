import type { Call } from "../base/call.ts";
import type { Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import { COLUMNS, type WmAct, type WorkspaceTarget } from "./commands.ts";
import { type ManagedDesktop, readUntil, windowWords, workspaceKey, workspaceWords } from "./managed.ts";
import type { WmWindow, WmWorkspace } from "./model.ts";

/** What an act did: "none" where it was so already, else the window manager and its word. */
export interface WmDone {
  readonly method: string;
}

/** Gives a window the keyboard; its workspace is shown with it. Errors: `stale`, `refused`, `no_effect`. */
export async function focusWindow(
  manager: ManagedDesktop,
  window: WmWindow,
  deadline: Deadline,
): Promise<WmDone> {
  const doing = `focus ${windowWords(window)}`;
  if ((await present(manager, window, doing, deadline.call())).is_focused) return none();
  return await windowActs(manager, { do: "focus", window: window.id }, window, doing, deadline, {
    holds: (now) => now.is_focused,
    found: ({ is_focused }) => ({ is_focused }),
    hint: "Another window may have taken the focus back: a dialog of the same application does.",
  });
}

/** Closes a window as a person does. Errors: `stale`, `refused`, `no_effect` where it is still there. */
export async function closeWindow(
  manager: ManagedDesktop,
  window: WmWindow,
  deadline: Deadline,
): Promise<WmDone> {
  const doing = `close ${windowWords(window)}`;
  await present(manager, window, doing, deadline.call());
  await manager.perform({ do: "close", window: window.id }, deadline.call());
  const seen = await readUntil(manager, (call) => find(manager, window.id, call), (now) => !now, deadline);
  if (seen.held) return done(manager, "close");
  throw noEffect(doing, "it is still there", {}, "It may ask something first: look for a dialog.");
}

/** Has a window float, or puts it into the tiling. Errors: `stale`, `refused`, `no_effect`. */
export async function setFloating(
  manager: ManagedDesktop,
  window: WmWindow,
  floating: boolean,
  deadline: Deadline,
): Promise<WmDone> {
  const doing = `${floating ? "float" : "tile"} ${windowWords(window)}`;
  if ((await present(manager, window, doing, deadline.call())).is_floating === floating) return none();
  return await windowActs(manager, { do: "float", window: window.id, floating }, window, doing, deadline, {
    holds: (now) => now.is_floating === floating,
    found: ({ is_floating }) => ({ is_floating }),
  });
}

/** Shows a workspace and gives it the keyboard. Errors: `refused`, `no_effect`, `unsupported` for a name that cannot be. */
export async function switchWorkspace(
  manager: ManagedDesktop,
  target: WorkspaceTarget,
  deadline: Deadline,
): Promise<WmDone> {
  const doing = `switch to workspace ${targetWords(target)}`;
  const focused = (all: readonly WmWorkspace[]) => all.find((one) => one.is_focused);
  const read = (call: Call) => manager.workspaces(call);
  if (meets(manager, focused(await read(deadline.call())), target)) return none();
  await manager.perform({ do: "switch", workspace: target }, deadline.call());
  const seen = await readUntil(manager, read, (all) => meets(manager, focused(all), target), deadline);
  if (seen.held) return done(manager, "switch");
  const now = focused(seen.last);
  throw noEffect(
    doing,
    now === undefined ? "no workspace has the focus" : `${workspaceWords(now)} has the focus`,
    { found: now ? { ...now } : null },
    "It may be gone by now: list the workspaces again.",
  );
}

/** Moves a window to a workspace, which is not shown by that. Errors: `stale`, `refused`, `no_effect`, `unsupported`. */
export async function sendWindow(
  manager: ManagedDesktop,
  window: WmWindow,
  target: WorkspaceTarget,
  deadline: Deadline,
): Promise<WmDone> {
  const doing = `move ${windowWords(window)} to workspace ${targetWords(target)}`;
  const { id } = window;
  const read = async (call: Call) => ({
    now: await find(manager, id, call),
    workspaces: await manager.workspaces(call),
  });
  const on = ({ now, workspaces }: Awaited<ReturnType<typeof read>>) =>
    now?.workspace_id == null ? undefined : workspaces.find((one) => one.id === now.workspace_id);
  const before = await read(deadline.call());
  if (before.now === undefined) throw gone(doing);
  if (meets(manager, on(before), target)) return none();
  await manager.perform({ do: "send", window: id, workspace: target }, deadline.call());
  const seen = await readUntil(manager, read, (one) => meets(manager, on(one), target), deadline);
  if (seen.held) return done(manager, "send");
  if (seen.last.now === undefined) throw gone(doing);
  const there = on(seen.last);
  throw noEffect(
    doing,
    there === undefined ? "it is on none" : `it is on ${workspaceWords(there)}`,
    { found: there ? { ...there } : null },
    "The workspace may be gone by now: list the workspaces again.",
  );
}

/** The window by its id as it is now; undefined: it is closed. */
export async function find(manager: ManagedDesktop, id: number, call: Call): Promise<WmWindow | undefined> {
  return (await manager.windows(call)).find((one) => one.id === id);
}

/** The window as it is now; `stale` where it is closed. */
export async function present(
  manager: ManagedDesktop,
  { id }: WmWindow,
  doing: string,
  call: Call,
): Promise<WmWindow> {
  const now = await find(manager, id, call);
  if (now === undefined) throw gone(doing);
  return now;
}

async function windowActs(
  manager: ManagedDesktop,
  act: WmAct,
  { id }: WmWindow,
  doing: string,
  deadline: Deadline,
  expected: {
    readonly holds: (now: WmWindow) => boolean;
    readonly found: (now: WmWindow) => Json;
    readonly hint?: string;
  },
): Promise<WmDone> {
  await manager.perform(act, deadline.call());
  const seen = await readUntil(
    manager,
    (call) => find(manager, id, call),
    (now) => now !== undefined && expected.holds(now),
    deadline,
  );
  if (seen.held) return done(manager, act.do);
  if (seen.last === undefined) throw gone(doing);
  throw noEffect(doing, "it reads otherwise", { found: expected.found(seen.last) }, expected.hint);
}

function meets(manager: ManagedDesktop, now: WmWorkspace | undefined, target: WorkspaceTarget): boolean {
  if (now === undefined) return false;
  const { named } = COLUMNS[manager.kind];
  return named || target.id === null ? now.name === target.name : now.id === target.id;
}

function targetWords({ id, name }: WorkspaceTarget): string {
  return name === null ? `#${id ?? "?"}` : JSON.stringify(name.slice(0, 60));
}

/** The workspace that has a key now; one that is gone comes to be again by its name, where that is so. */
export function workspaceOfKey(
  manager: ManagedDesktop,
  key: string,
  workspaces: readonly WmWorkspace[],
): WorkspaceTarget {
  const there = workspaces.find((one) => workspaceKey(manager.kind, one) === key);
  if (there !== undefined) return there;
  if (COLUMNS[manager.kind].named) return { id: null, name: key };
  throw new BackstepError(
    "stale",
    `Cannot go back to workspace ${JSON.stringify(key.slice(0, 60))}: it is gone`,
  );
}

/** It was so already. */
export function none(): WmDone {
  return { method: "none" };
}

/** It was done, and read back. */
export function done({ kind }: ManagedDesktop, what: WmAct["do"] | "place"): WmDone {
  return { method: `${kind} ${what}` };
}

function gone(doing: string): BackstepError {
  return new BackstepError("stale", `Cannot ${doing}: it is closed`);
}

/** It was accepted, and read back otherwise. */
export function noEffect(
  doing: string,
  why: string,
  details: { [key: string]: Json },
  hint?: string,
): BackstepError {
  return new BackstepError("no_effect", `Cannot ${doing}: the window manager took it, and ${why}`, {
    ...(hint === undefined ? {} : { hint }),
    details,
  });
}
