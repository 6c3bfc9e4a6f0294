import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { Bell } from "./_server.ts";
import { finished, reached } from "./_desks.ts";
import type { WindowManager } from "./model.ts";

const GTK3 = "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-3.0.typelib";
const CLIENT = `
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk
Gdk.set_program_class("Client")
window = Gtk.Window(title="a window")
window.show_all()
Gtk.main()
`;

/** Resolves when the condition holds after an event. */
async function heard(
  wm: WindowManager,
  doing: () => Promise<void>,
  holds: () => Promise<boolean>,
): Promise<void> {
  let wake = Promise.withResolvers<void>();
  const off = wm.on(() => wake.resolve());
  await wake.promise;
  const deadline = Deadline.after(10_000);
  const late = new AbortController();
  const event = async () => {
    const timer = setTimeout(() => late.abort(), deadline.remaining());
    const passed = new Promise<never>((_, reject) =>
      late.signal.addEventListener("abort", () => reject(new Error("no event told of it")), { once: true })
    );
    try {
      await Promise.race([wake.promise, passed]);
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    wake = Promise.withResolvers<void>();
    await doing();
    // The state alone is no proof: an event has to tell of it.
    for (;;) {
      await event();
      wake = Promise.withResolvers<void>();
      if (await holds()) return;
    }
  } finally {
    off();
  }
}

async function behaves(wm: WindowManager, kind: "sway" | "i3"): Promise<void> {
  assert.deepEqual(wm.kind, kind);
  const [output] = await wm.outputs();
  assert(output !== undefined && output.logical !== null);
  assert(output.modes.length > 0 && output.current_mode !== null);
  // What neither tells is null; what sway alone tells is null on i3.
  assert.deepEqual([output.physical_size, output.vrr_supported, output.modes[0]?.is_preferred], [
    null,
    null,
    null,
  ]);
  const reported = [
    output.make,
    output.model,
    output.vrr_enabled,
    output.modes[0]?.refresh_rate,
    output.logical.transform,
  ];
  assert.deepEqual(
    reported.map((one) => one !== null),
    reported.map(() => kind === "sway"),
    JSON.stringify(reported),
  );
  await heard(
    wm,
    () => wm.command("workspace 7"),
    async () => (await wm.workspaces()).some(({ name, is_focused }) => name === "7" && is_focused),
  );
  await assert.rejects(wm.command("no such command"), { code: "refused" });
  await assert.rejects(wm.layers(), { code: "unsupported" });
  assert.deepEqual(await wm.windows(), []);
}

Deno.test({
  name: "real i3: outputs, workspaces, windows with places, events",
  ignore: !existsSync("/usr/bin/i3") || !existsSync("/usr/bin/Xvfb") || !existsSync(GTK3),
  async fn() {
    const folder = mkdtempSync(join(tmpdir(), "wm-i3-"));
    const children: ChildProcess[] = [];
    let wm: WindowManager | undefined;
    try {
      const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      children.push(server);
      const number = await new Promise<string>((resolve) =>
        server.stdout?.once("data", (data) => resolve(String(data).trim()))
      );
      const path = join(folder, "i3.sock"), config = join(folder, "config");
      writeFileSync(config, `ipc-socket ${path}\nfont pango:monospace 8\n`);
      const env = { ...process.env, DISPLAY: `:${number}`, XDG_RUNTIME_DIR: folder };
      const manager = spawn("i3", ["-c", config], { env, stdio: "ignore" });
      children.push(manager);
      const i3 = wm = await reached(path, manager);
      await behaves(i3, "i3");
      await heard(i3, () => {
        children.push(spawn("/usr/bin/python3", ["-c", CLIENT], {
          env: { ...env, GDK_BACKEND: "x11" },
          stdio: ["ignore", "ignore", "inherit"],
        }));
        return Promise.resolve();
      }, async () => (await i3.windows()).length === 1);
      const [window] = await i3.windows();
      assert.deepEqual(window?.app_id, "Client");
      assert.deepEqual(window?.workspace_id, (await i3.workspaces()).find(({ name }) => name === "7")?.id);
      assert((window?.content?.width ?? 0) > 700, JSON.stringify(window));
      // A restart in place gives every container a new id, and ends the connection for events.
      const bell = new Bell();
      i3.on(bell.ring);
      await bell.next(0);
      await i3.command("restart");
      await bell.until(async () => {
        const [there] = await i3.windows().catch((error: unknown) => {
          if (error instanceof BackstepError && error.code === "no_desktop") return [];
          throw error;
        });
        return there !== undefined && there.id !== window?.id && there.title === window?.title;
      });
      const seen = bell.count;
      await i3.command("workspace 8");
      await bell.next(seen);
      await bell.until(async () => (await i3.workspaces()).some((one) => one.name === "8" && one.is_focused));
    } finally {
      wm?.close();
      for (const child of children.reverse()) await finished(child);
      rmSync(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: "real headless sway, unprivileged: outputs, workspaces, layouts, events",
  ignore: !existsSync("/usr/bin/sway") || !existsSync(GTK3),
  async fn() {
    const folder = mkdtempSync(join(tmpdir(), "wm-sway-"));
    const path = join(folder, "sway.sock"), config = join(folder, "config");
    writeFileSync(config, "xwayland disable\ndefault_border none\noutput HEADLESS-1 mode 1280x800\n");
    const root = process.getuid?.() === 0;
    // sway refuses root; nobody owns its folder then.
    if (root) chownSync(folder, 65534, 65534);
    chmodSync(folder, 0o700);
    const as = root ? { uid: 65534, gid: 65534 } : {};
    const sway = spawn("sway", ["-c", config], {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        XDG_RUNTIME_DIR: folder,
        SWAYSOCK: path,
        WLR_BACKENDS: "headless",
        WLR_LIBINPUT_NO_DEVICES: "1",
        WLR_RENDERER: "pixman",
      },
      stdio: "ignore",
      ...as,
    });
    let client: ChildProcess | undefined;
    let wm: WindowManager | undefined;
    try {
      wm = await reached(path, sway);
      await behaves(wm, "sway");
      assert.deepEqual((await wm.outputs()).map(({ name, modes }) => [name, modes[0]?.width]), [[
        "HEADLESS-1",
        1280,
      ]]);
      await wm.keyboardLayouts();
      const standing = wm;
      const env = {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        XDG_RUNTIME_DIR: folder,
        WAYLAND_DISPLAY: "wayland-1",
        GDK_BACKEND: "wayland",
      };
      await heard(standing, () => {
        client = spawn("/usr/bin/python3", ["-c", CLIENT], {
          env,
          stdio: ["ignore", "ignore", "inherit"],
          ...as,
        });
        return Promise.resolve();
      }, async () => (await standing.windows()).some(({ title }) => title === "a window"));
      const [window, ...others] = await standing.windows();
      assert.deepEqual(others, []);
      assert.equal(window?.pid, client?.pid);
      assert.equal(window?.is_focused, true);
      assert.equal(window?.is_visible, true);
      assert.equal(
        window?.workspace_id,
        (await standing.workspaces()).find(({ is_focused }) => is_focused)?.id,
      );
      assert.deepEqual(window?.rect, { x: 0, y: 0, width: 1280, height: 800 });
    } finally {
      wm?.close();
      if (client !== undefined) await finished(client);
      await finished(sway);
      rmSync(folder, { recursive: true });
    }
  },
});
