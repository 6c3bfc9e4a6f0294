import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Deadline, pause } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { connectI3 } from "./i3-ipc.ts";
import { managedBy, readUntil } from "./managed.ts";
import type { WindowManager, WmWindow } from "./model.ts";

const GTK3 = "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-3.0.typelib";
/** A window of GTK 3 with the title that it is given. */
export const CLIENT = `
import sys
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk
Gdk.set_program_class("Client")
window = Gtk.Window(title=sys.argv[1])
if len(sys.argv) > 2:
    window.connect("delete-event", lambda *_: True)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
`;

/** A real window manager of a test, with what it says by its own program. */
export interface WmDesk {
  readonly kind: "i3" | "sway";
  readonly wm: WindowManager;
  /** What programs on it need. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whom they run as: whoever the compositor is. */
  readonly as: { readonly uid?: number; readonly gid?: number };
  /** Opens a window; resolves when the window manager has it. `stays`: it does not close when it is asked to. */
  open(title: string, options?: { readonly stays?: true }): Promise<WmWindow>;
  /** Does it by i3-msg or swaymsg. */
  does(command: string): Promise<void>;
  /** What i3-msg or swaymsg says of the leaf that is called so: undefined: there is none. */
  says(title: string): Promise<Leaf | undefined>;
  /** The name of the workspace that has the focus, by i3-msg or swaymsg. */
  shows(): Promise<string>;
}

/** A window by the window manager's own program. */
export interface Leaf {
  readonly id: number;
  readonly focused: boolean;
  readonly floating: boolean;
  readonly workspace: string;
  /** x, y, width and height of its content. */
  readonly content: readonly number[];
}

/** Can this machine start it? */
export function canStart(kind: "i3" | "sway"): boolean {
  return existsSync(`/usr/bin/${kind}`) && existsSync(GTK3) &&
    (kind === "sway" || existsSync("/usr/bin/Xvfb"));
}

/** Starts a window manager on a display of its own, and ends all of it. */
export async function withDesk(kind: "i3" | "sway", body: (desk: WmDesk) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `wm-${kind}-`));
  const children: ChildProcess[] = [];
  let wm: WindowManager | undefined;
  try {
    const { path, environment, as, manager } = kind === "i3"
      ? await startI3(folder, children)
      : startSway(folder, children);
    const opened = wm = await reached(path, manager);
    const ask = (words: readonly string[]) => answerOf(kind, path, words);
    await body({
      kind,
      wm: opened,
      environment,
      as,
      async open(title, { stays } = {}) {
        children.push(spawn("/usr/bin/python3", ["-c", CLIENT, title, ...(stays ? ["stays"] : [])], {
          env: environment,
          stdio: ["ignore", "ignore", "inherit"],
          ...as,
        }));
        const managed = managedBy(opened);
        const called = async () => (await opened.windows()).find((one) => one.title === title);
        const deadline = Deadline.after(30_000);
        const seen = await readUntil(managed, called, (one) => one !== undefined, deadline, 15_000);
        if (seen.last === undefined) throw new Error(`no window "${title}"`);
        return seen.last;
      },
      async does(command) {
        await ask([command]);
      },
      async says(title) {
        return leafIn(JSON.parse(await ask(["-t", "get_tree"])), title);
      },
      async shows() {
        const all: { name: string; focused: boolean }[] = JSON.parse(await ask(["-t", "get_workspaces"]));
        return all.find(({ focused }) => focused)?.name ?? "";
      },
    });
  } finally {
    wm?.close();
    for (const child of children.reverse()) await finished(child);
    rmSync(folder, { recursive: true });
  }
}

async function startI3(folder: string, children: ChildProcess[]) {
  const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1000x700x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(server);
  const number = await new Promise<string>((resolve) =>
    server.stdout?.once("data", (data) => resolve(String(data).trim()))
  );
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    DISPLAY: `:${number}`,
    XDG_RUNTIME_DIR: folder,
    GDK_BACKEND: "x11",
  };
  return { ...startI3On(folder, environment, children), environment, as: {} };
}

/** Starts i3 on a display that is there; whoever gives no list of children ends it. */
export function startI3On(
  folder: string,
  environment: Readonly<Record<string, string>>,
  children: ChildProcess[] = [],
): { readonly path: string; readonly manager: ChildProcess } {
  const path = join(folder, "i3.sock"), config = join(folder, "config");
  writeFileSync(config, `# i3 config file (v4)\nipc-socket ${path}\nfont pango:monospace 8\n`);
  const manager = spawn("i3", ["-c", config], { env: environment, stdio: "ignore" });
  children.push(manager);
  return { path, manager };
}

function startSway(folder: string, children: ChildProcess[]) {
  const path = join(folder, "sway.sock"), config = join(folder, "config");
  writeFileSync(config, "xwayland disable\noutput HEADLESS-1 mode 1280x800\n");
  const root = process.getuid?.() === 0;
  // sway refuses root; nobody owns its folder then.
  if (root) chownSync(folder, 65534, 65534);
  chmodSync(folder, 0o700);
  const as = root ? { uid: 65534, gid: 65534 } : {};
  const common = { PATH: process.env["PATH"] ?? "", HOME: folder, XDG_RUNTIME_DIR: folder };
  const manager = spawn("sway", ["-c", config], {
    env: {
      ...common,
      SWAYSOCK: path,
      WLR_BACKENDS: "headless",
      WLR_LIBINPUT_NO_DEVICES: "1",
      WLR_RENDERER: "pixman",
    },
    stdio: "ignore",
    ...as,
  });
  children.push(manager);
  return {
    path,
    manager,
    as,
    environment: { ...common, WAYLAND_DISPLAY: "wayland-1", GDK_BACKEND: "wayland" },
  };
}

/** Connects once it answers. */
export async function reached(path: string, child: ChildProcess): Promise<WindowManager> {
  const deadline = Deadline.after(15_000);
  for (;;) {
    if (existsSync(path)) {
      const wm = await connectI3(path).catch((error: unknown) => {
        if (error instanceof BackstepError && !deadline.passed) return undefined;
        throw error;
      });
      if (wm !== undefined) return wm;
    }
    if (deadline.passed || child.exitCode !== null) throw new Error(`no window manager at ${path}`);
    await pause(5);
  }
}

export async function finished(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

/** What i3-msg or swaymsg answers. */
export function answerOf(kind: "i3" | "sway", path: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile(`${kind}${kind === "i3" ? "-" : ""}msg`, ["-s", path, ...words], {
      timeout: 10_000,
      maxBuffer: 10 << 20,
    }, (error, out) => error ? reject(error) : resolve(out))
  );
}

interface Node {
  readonly id: number;
  readonly name: string | null;
  readonly type: string;
  readonly focused: boolean;
  readonly pid?: number;
  readonly window?: number | null;
  readonly rect: Record<"x" | "y" | "width" | "height", number>;
  readonly window_rect: Record<"x" | "y" | "width" | "height", number>;
  readonly nodes: readonly Node[];
  readonly floating_nodes: readonly Node[];
}

export function leafIn(tree: Node, title: string): Leaf | undefined {
  const look = (node: Node, workspace: string, floating: boolean): Leaf | undefined => {
    if (node.name === title && (node.pid !== undefined || node.window != null) && node.nodes.length === 0) {
      const { rect, window_rect: inner } = node;
      const content = [rect.x + inner.x, rect.y + inner.y, inner.width, inner.height];
      return { id: node.id, focused: node.focused, floating, workspace, content };
    }
    const name = node.type === "workspace" ? node.name ?? "" : workspace;
    for (const one of node.nodes) {
      const found = look(one, name, floating || one.type === "floating_con");
      if (found) return found;
    }
    for (const one of node.floating_nodes) {
      const found = look(one, name, true);
      if (found) return found;
    }
    return undefined;
  };
  return look(tree, "", false);
}
