import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { finished, withDesk } from "../../../wm/_desks.ts";
import { Bell } from "../../../wm/_server.ts";
import type { WindowManager } from "../../../wm/model.ts";

const GTK3 = "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-3.0.typelib";
/** Opens, renames and closes windows as lines tell it, and writes when it did (milliseconds since 1970). */
const CLIENT = `
import gi, sys, time
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk
Gdk.set_program_class("Client")
windows = {}
def told(source, condition):
    word, _, title = sys.stdin.readline().strip().partition(" ")
    at = time.time() * 1000
    if word == "open":
        windows[title] = Gtk.Window(title=title)
        windows[title].show_all()
    elif word == "close":
        windows.pop(title).destroy()
    else:
        return False
    print(at, flush=True)
    return True
GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN, told)
Gtk.main()
`;

/** Why neither can run here; undefined: they can. */
export const realMissing = ["/usr/bin/sway", "/usr/bin/i3", "/usr/bin/Xvfb", GTK3].find((file) =>
  !existsSync(file)
);

/** A program with windows on a real window manager. */
export interface Client {
  /** Does `open TITLE` or `close TITLE`; answers when it did, in milliseconds since 1970. */
  tell(line: string): Promise<number>;
}

/** A window manager that runs, and a program on it. */
export interface Real {
  readonly manager: WindowManager;
  readonly client: Client;
}

/** Starts the program with windows. */
export function startClient(
  env: Readonly<Record<string, string | undefined>>,
  as: { readonly uid?: number; readonly gid?: number } = {},
): { readonly child: ChildProcess; readonly client: Client } {
  const child = spawn("/usr/bin/python3", ["-c", CLIENT], { env, stdio: ["pipe", "pipe", "inherit"], ...as });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("it has no pipes");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    child,
    client: {
      async tell(line) {
        stdin.write(`${line}\n`);
        const { value, done } = await lines.next();
        if (done) throw new Error("the program with windows has ended");
        return Number(value);
      },
    },
  };
}

/** Watches the window manager's list for a window; `at` resolves with when it was first there, in milliseconds since 1970. */
export function listedBy(
  manager: WindowManager,
  title: string,
): { readonly at: Promise<number>; stop(): void } {
  const bell = new Bell();
  const stop = manager.on(bell.ring);
  let at = 0;
  const there = async () => {
    const windows = await manager.windows();
    at = performance.timeOrigin + performance.now();
    return windows.some((one) => one.title === title);
  };
  return { at: bell.until(there).then(() => at), stop };
}

/** How long somebody who subscribed waited, of many windows, in milliseconds. */
export function waits(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${sorted[sorted.length >> 1]?.toFixed(0)} ms, most ${sorted.at(-1)?.toFixed(0)} ms`;
}

/** Runs i3 on an X server of its own. */
export function onI3(use: (real: Real) => Promise<void>): Promise<void> {
  return on("i3", use);
}

/** Runs headless sway, unprivileged. */
export function onSway(use: (real: Real) => Promise<void>): Promise<void> {
  return on("sway", use);
}

function on(kind: "i3" | "sway", use: (real: Real) => Promise<void>): Promise<void> {
  return withDesk(kind, async ({ wm, environment, as }) => {
    const { child, client } = startClient(environment, as);
    try {
      await use({ manager: wm, client });
    } finally {
      await finished(child);
    }
  });
}
