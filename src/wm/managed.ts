import { type Call, Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { COLUMNS, type WmAct } from "./commands.ts";
import type { WindowManager, WmWindow, WmWorkspace } from "./model.ts";

/** A window manager as acts use it: what is there, and one typed way to change it. */
export interface ManagedDesktop extends Pick<WindowManager, "kind" | "workspaces" | "windows" | "on"> {
  /** Sends an act; resolves when the window manager took it, which is no proof that it did it. */
  perform(act: WmAct, call?: Call): Promise<void>;
}

/** Reaches the window manager of a session; rejects with `unsupported` where none answers. */
export type ReachManager = (call?: Call) => Promise<ManagedDesktop>;

/** A window manager with typed acts. */
export function managedBy(manager: WindowManager): ManagedDesktop {
  return {
    kind: manager.kind,
    workspaces: (call) => manager.workspaces(call),
    windows: (call) => manager.windows(call),
    on: (changed) => manager.on(changed),
    async perform(act, call) {
      let sent = false;
      for (const command of COLUMNS[manager.kind].commands(act)) {
        try {
          await manager.command(command, call);
          sent = true;
        } catch (thrown) {
          throw sent ? inTheMiddle(thrown, act) : thrown;
        }
      }
    },
  };
}

/** The first of several commands was taken: what is there now is not what was there. */
function inTheMiddle(thrown: unknown, { do: what }: WmAct): BackstepError {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new BackstepError("refused", `Cannot ${what} a window: only a part of it was done: ${why}`, {
    cause: thrown,
    details: { outcome: "unknown" },
  });
}

/** The error where no window manager answers. */
export function noManager(doing: string): BackstepError {
  return new BackstepError("unsupported", `Cannot ${doing}: no window manager answers on this desktop`, {
    hint: "It takes sway, i3 or niri, by SWAYSOCK, I3SOCK or NIRI_SOCKET, or on X11 one that keeps to EWMH.",
    details: { outcome: "not_sent" },
  });
}

/** `window "Inbox"`: its title is somebody else's text. */
export function windowWords({ id, title }: Pick<WmWindow, "id" | "title">): string {
  return title === null || title === "" ? `window ${id}` : `window ${JSON.stringify(title.slice(0, 60))}`;
}

/** `workspace "mail"`. */
export function workspaceWords({ name, idx, output }: Pick<WmWorkspace, "name" | "idx" | "output">): string {
  if (name !== null) return `workspace ${JSON.stringify(name.slice(0, 60))}`;
  return `workspace ${idx}${output === null ? "" : ` of ${output}`}`;
}

/** Under which word a workspace is the same one later: its name where an empty one ends and comes back, else its id. */
export function workspaceKey(kind: WindowManager["kind"], { id, name }: WmWorkspace): string {
  return COLUMNS[kind].named && name !== null ? name : name === null ? `#${id}` : `#${id} ${name}`;
}

/** Milliseconds that what was accepted is given to show. */
const PATIENCE = 1_500;
/** Milliseconds between two looks without an event: sway and i3 have none for a floating window that moves. */
const FIRST = 20, SLOWEST = 250;

/** What was read last, and whether it is as it was to be. */
export interface ReadBack<T> {
  readonly held: boolean;
  readonly last: T;
}

/** Reads until it is as it is to be: at each event, and slowly without one. `patience` in milliseconds, 1,500 at most. */
export async function readUntil<T>(
  manager: ManagedDesktop,
  read: (call: Call) => Promise<T>,
  holds: (value: T) => boolean,
  deadline: Deadline,
  patience: number = PATIENCE,
): Promise<ReadBack<T>> {
  let last = await read(deadline.call());
  if (holds(last)) return { held: true, last };
  const until = deadline.within(Math.min(patience, deadline.remaining() / 2));
  let wake = Promise.withResolvers<void>();
  const off = manager.on(() => wake.resolve());
  try {
    for (let wait = FIRST; !until.passed; wait = Math.min(2 * wait, SLOWEST)) {
      await soon(wake.promise, until.within(wait));
      until.check("read back what a window manager did");
      wake = Promise.withResolvers<void>();
      last = await read(deadline.call());
      if (holds(last)) return { held: true, last };
    }
    return { held: false, last };
  } finally {
    off();
  }
}

/** Resolves with the event, or when the time is over. */
async function soon(event: Promise<void>, deadline: Deadline): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, deadline.remaining());
  deadline.signal?.addEventListener("abort", () => over.resolve(), { once: true });
  try {
    await Promise.race([event, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}
