import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Deadline, pause } from "../../base/call.ts";
import { BackstepError, type Json } from "../../base/error.ts";
import { asMap } from "../../base/json.ts";
import { writeAuthority } from "../../x11/authority.ts";
import { Bell } from "../_server.ts";
import type { WindowManager } from "../model.ts";
import { connectEwmh } from "./connect.ts";

/** Whether these tests can run here. */
export const REAL =
  ["/usr/bin/Xvfb", "/usr/bin/openbox", "/usr/bin/i3", "/usr/bin/setxkbmap"].every((one) =>
    existsSync(one)
  ) && existsSync("/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-3.0.typelib");

/** Milliseconds for anything on it. */
const PATIENCE = 20_000;

const OPENBOX = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew></focus>
  <desktops><number>3</number><names><name>mail</name><name>wörk</name></names></desktops>
</openbox_config>
`;

/** A GTK 3 program that does what a line says, and tells of its windows what it knows itself. */
const CLIENT = `
import gi, json, os, time
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk, GdkX11, GLib, Gtk
Gdk.set_program_class("Client")
windows = {}
def tell(**fields):
    print(json.dumps(fields), flush=True)
def open_window(name, kind=None):
    window = windows[name] = Gtk.Window(title=name)
    window.set_default_size(300, 200)
    if kind: window.set_type_hint(kind)
    window.connect("map-event", lambda *_: tell(event="map", name=name, time=time.time() * 1000) or False)
    window.connect("delete-event", lambda *_: tell(event="delete", name=name) or False)
    window.show_all()
def place(gdk):
    frame = gdk.get_frame_extents()
    _, x, y = gdk.get_origin()
    rect = lambda *four: dict(zip(("x", "y", "width", "height"), four))
    return rect(frame.x, frame.y, frame.width, frame.height), rect(x, y, gdk.get_width(), gdk.get_height())
def state(name):
    window, gdk = windows[name], windows[name].get_window()
    frame, content = place(gdk)
    tell(event="state", name=name, xid=gdk.get_xid(), frame=frame, content=content,
        active=window.is_active(), desktop=gdk.get_desktop(), iconified=bool(gdk.get_state() & Gdk.WindowState.ICONIFIED))
DO = {
    "open": lambda name: open_window(name),
    "dock": lambda name: open_window(name, Gdk.WindowTypeHint.DOCK),
    "title": lambda name: windows[name].set_title(name + " ✓"),
    "urgent": lambda name: windows[name].set_urgency_hint(True),
    "iconify": lambda name: windows[name].iconify(),
    "stick": lambda name: windows[name].stick(),
    "end": lambda name: windows[name].destroy(),
    "state": state,
}
rest = b""
def read(*_):
    global rest
    data = os.read(0, 65536)
    if not data: Gtk.main_quit(); return False
    *lines, rest = (rest + data).split(b"\\n")
    for line in lines:
        verb, _, name = line.decode().partition(" ")
        DO[verb](name)
    return True
GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, read)
tell(event="ready")
Gtk.main()
`;

/** A program on a test's display: lines to it, and what it tells. */
export class Client {
  readonly process: ChildProcess;
  readonly #bell = new Bell();
  readonly #events: { readonly [key: string]: Json }[] = [];

  constructor(child: ChildProcess) {
    this.process = child;
    let rest = "";
    child.stdout?.on("data", (chunk: Uint8Array) => {
      const lines = (rest + new TextDecoder().decode(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const event: Json = JSON.parse(line);
        this.#events.push(asMap(event));
      }
      this.#bell.ring();
    });
  }

  do(verb: string, name: string): void {
    this.process.stdin?.write(`${verb} ${name}\n`);
  }

  /** The next event of this kind; it is taken away. */
  async next(event: string, name?: string): Promise<{ readonly [key: string]: Json }> {
    const index = () =>
      this.#events.findIndex((one) => one["event"] === event && (name === undefined || one["name"] === name));
    for (let seen = this.#bell.count; index() < 0;) seen = await this.#bell.next(seen, PATIENCE);
    return this.#events.splice(index(), 1)[0] ?? {};
  }

  /** What it knows of a window itself. */
  async state(name: string): Promise<{ readonly [key: string]: Json }> {
    this.do("state", name);
    return await this.next("state", name);
  }
}

/** An X display of a test's own, behind a cookie, with a window manager. */
export class TestDesktop implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "ewmh-"));
  readonly authority = join(this.folder, "Xauthority");
  readonly i3Socket = join(this.folder, "i3.sock");
  display = "";
  readonly #children: ChildProcess[] = [];

  static async start(): Promise<TestDesktop> {
    const desktop = new TestDesktop();
    writeAuthority(desktop.authority);
    const args = ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"];
    const server = desktop.run("Xvfb", [...args, "-auth", desktop.authority]);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    server.stdout?.once("data", (data) => resolve(String(data).trim()));
    server.once("exit", () => reject(new Error("Xvfb ended")));
    desktop.display = `:${await promise}`;
    return desktop;
  }

  get environment(): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: this.folder,
      XDG_RUNTIME_DIR: this.folder,
      XAUTHORITY: this.authority,
      DISPLAY: this.display,
      GDK_BACKEND: "x11",
      GSETTINGS_BACKEND: "memory",
      NO_AT_BRIDGE: "1",
      LANG: "C.UTF-8",
    };
  }

  run(program: string, args: readonly string[], stdin: "ignore" | "pipe" = "ignore"): ChildProcess {
    const child = spawn(program, [...args], { env: this.environment, stdio: [stdin, "pipe", "ignore"] });
    this.#children.push(child);
    return child;
  }

  openbox(): ChildProcess {
    const config = join(this.folder, "openbox.xml");
    writeFileSync(config, OPENBOX);
    return this.run("openbox", ["--sm-disable", "--config-file", config]);
  }

  i3(): ChildProcess {
    const config = join(this.folder, "i3.conf");
    writeFileSync(
      config,
      `ipc-socket ${this.i3Socket}\nfont pango:monospace 8\nfocus_on_window_activation urgent\n`,
    );
    return this.run("i3", ["-c", config]);
  }

  /** Connected once the window manager is in charge. */
  async managed(): Promise<WindowManager> {
    return await eventually(() => connectEwmh(this.display, this.authority));
  }

  async client(): Promise<Client> {
    const client = new Client(this.run("/usr/bin/python3", ["-c", CLIENT], "pipe"));
    await client.next("ready");
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children.reverse()) await finished(child);
    rmSync(this.folder, { recursive: true });
  }
}

/** Tries again while nobody is there: a window manager says to nobody beforehand that it will be. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Deadline.after(PATIENCE);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof BackstepError) || error.code !== "no_desktop" || deadline.passed) throw error;
    }
    await pause(5);
  }
}

/** Ends a process for good. */
export async function finished(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
