import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { BackstepError } from "../base/error.ts";
import { writeAuthority } from "../x11/authority.ts";
import { DisplayStandIn } from "../x11/_display.ts";
import { NiriStandIn, niriState } from "./_niri.ts";
import { Bell, StandIn } from "./_server.ts";
import { eventually, finished, REAL, TestDesktop } from "./ewmh/_desktop.ts";
import { connectI3, i3Decoder, i3Message } from "./i3-ipc.ts";
import type { WindowManager } from "./model.ts";
import { findWindowManager, openWindowManager } from "./open.ts";

const { ROOT } = DisplayStandIn;

/** One of each: niri, sway, i3, and a display that tells of an i3 of its own and of a window manager. */
class Everybody implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "wm-open-"));
  readonly niri = new NiriStandIn(join(this.folder, "niri"), niriState(), []);
  readonly sway = ipc(join(this.folder, "sway"), "sway version 1.7");
  readonly i3 = ipc(join(this.folder, "i3"), "4.22");
  readonly other = ipc(join(this.folder, "other"), "4.22");
  readonly display = new DisplayStandIn(join(this.folder, "X"));
  readonly silent = new StandIn(join(this.folder, "silent"), () => {});
  readonly environment = {
    NIRI_SOCKET: this.niri.path,
    SWAYSOCK: this.sway.path,
    I3SOCK: this.i3.path,
    DISPLAY: this.display.server.path,
  };

  static async start(): Promise<Everybody> {
    const all = new Everybody();
    for (const one of all.#servers) await one.start();
    all.display.set(ROOT, "I3_SOCKET_PATH", all.other.path);
    all.display.open(0x200);
    for (const window of [ROOT, 0x200]) all.display.set(window, "_NET_SUPPORTING_WM_CHECK", [0x200]);
    return all;
  }

  get #servers() {
    return [this.niri, this.sway, this.i3, this.other, this.display.server, this.silent];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#servers) await one.stop();
    rmSync(this.folder, { recursive: true });
  }
}

/** As much of i3 as says which version it is. */
function ipc(path: string, version: string): StandIn {
  return new StandIn(path, (socket) => {
    const decode = i3Decoder();
    socket.on("data", (chunk: Uint8Array) =>
      // A request has no payload, which is no JSON: its head says enough.
      chunk.length > 14
        ? decode(chunk, () => {})
        : socket.write(i3Message(7, JSON.stringify({ human_readable: version }))));
  });
}

async function kindOf(environment: Readonly<Record<string, string | undefined>>, timeout = 5_000) {
  const { manager, tried } = await findWindowManager(environment, { timeout });
  manager?.close();
  return [manager?.kind, tried.map(({ by, error }) => `${by} ${error.code}`)];
}

Deno.test("niri goes before sway, sway before i3, i3 before its display, i3's display before EWMH", async () => {
  await using all = await Everybody.start();
  const { NIRI_SOCKET: _, ...noNiri } = all.environment;
  const { SWAYSOCK: __, ...noSway } = noNiri;
  const { I3SOCK: ___, ...noSocket } = noSway;
  const none = ["NIRI_SOCKET no_desktop", "SWAYSOCK no_desktop", "I3SOCK no_desktop"];
  assert.deepEqual(await kindOf(all.environment), ["niri", []]);
  assert.deepEqual(await kindOf(noNiri), ["sway", none.slice(0, 1)]);
  assert.deepEqual([await kindOf(noSway), all.i3.accepted], [["i3", none.slice(0, 2)], 1]);
  assert.deepEqual([await kindOf(noSocket), all.other.accepted], [["i3", none], 1]);
  await all.other.stop();
  // The property outlives its i3.
  assert.deepEqual(await kindOf(noSocket), ["ewmh", [...none, "I3_SOCKET_PATH no_desktop"]]);
  all.display.set(ROOT, "I3_SOCKET_PATH", "relative");
  assert.deepEqual(await kindOf(noSocket), ["ewmh", [...none, "I3_SOCKET_PATH no_desktop"]]);
});

Deno.test("sockets that nobody answers do not hide the next way, and each says why", async () => {
  await using all = await Everybody.start();
  for (const one of [all.niri, all.sway, all.i3, all.other]) await one.stop();
  const { manager, tried } = await findWindowManager(all.environment);
  manager?.close();
  assert.equal(manager?.kind, "ewmh");
  const paths = [all.niri.path, all.sway.path, all.i3.path, all.other.path];
  for (const [at, { error }] of tried.entries()) {
    assert(error.message.includes(paths[at] ?? "?"), error.message);
  }
  all.display.end(0x200);
  const none = await findWindowManager(all.environment);
  assert.equal(none.manager, undefined);
  assert.deepEqual(none.tried.map(({ by }) => by), [
    "NIRI_SOCKET",
    "SWAYSOCK",
    "I3SOCK",
    "I3_SOCKET_PATH",
    "DISPLAY",
  ]);
  assert.match(none.tried[4]?.error.message ?? "", /no window manager of the display keeps to EWMH/);
});

Deno.test("an environment that names nothing has none, and each way says what is not set", async () => {
  const { manager, tried } = await findWindowManager({ NIRI_SOCKET: "" });
  assert.equal(manager, undefined);
  for (const [at, variable] of ["NIRI_SOCKET", "SWAYSOCK", "I3SOCK", "DISPLAY", "DISPLAY"].entries()) {
    assert.equal(
      tried[at]?.error.message,
      `Cannot reach a window manager by ${variable}: it is not set`,
    );
  }
  assert.equal(await openWindowManager({}), undefined);
});

Deno.test("a socket that says nothing costs its share of the time; a cancelled call rejects", async () => {
  await using all = await Everybody.start();
  const environment = { SWAYSOCK: all.silent.path, DISPLAY: all.display.server.path };
  const stop = new AbortController();
  const asked = openWindowManager(environment, { signal: stop.signal });
  stop.abort();
  await assert.rejects(asked, { code: "cancelled" });
  assert.deepEqual(await kindOf(environment, 6_000), [
    "i3",
    ["NIRI_SOCKET no_desktop", "SWAYSOCK timeout", "I3SOCK no_desktop"],
  ]);
});

Deno.test({
  name: "real openbox and i3 are found by their display and its authority file alone",
  ignore: !REAL,
  async fn() {
    /** i3 keeps to EWMH a moment before it tells of its socket. */
    const opened = (
      environment: Record<string, string>,
      kind: WindowManager["kind"],
    ): Promise<WindowManager> =>
      eventually(async () => {
        const { manager, tried } = await findWindowManager(environment);
        if (manager?.kind === kind) return manager;
        manager?.close();
        throw new BackstepError("no_desktop", "Cannot find it yet", { cause: tried.at(-1)?.error });
      });
    for (const name of ["openbox", "i3"] as const) {
      await using desktop = await TestDesktop.start();
      const { DISPLAY = "", XAUTHORITY = "" } = desktop.environment;
      const bare = await findWindowManager({ DISPLAY, XAUTHORITY });
      assert.match(bare.tried[4]?.error.message ?? "", /no window manager of the display keeps to EWMH/);
      desktop[name]();
      const manager = await opened({ DISPLAY, XAUTHORITY }, name === "i3" ? "i3" : "ewmh");
      try {
        assert.equal((await manager.outputs()).length, 1);
        const { tried } = await findWindowManager({ DISPLAY, HOME: "/nonexistent" });
        assert.match(tried[4]?.error.message ?? "", /it refused the connection/);
      } finally {
        manager.close();
      }
    }
  },
});

Deno.test({
  name: "a real XWayland is no way to a window manager: it has X11's windows alone",
  ignore: !existsSync("/usr/bin/sway") || !existsSync("/usr/bin/Xwayland"),
  async fn() {
    const folder = mkdtempSync(join(tmpdir(), "wm-xwayland-"));
    const config = join(folder, "config"), authority = join(folder, "Xauthority");
    writeFileSync(config, "xwayland disable\noutput HEADLESS-1 mode 1280x800\n");
    writeAuthority(authority);
    const root = process.getuid?.() === 0;
    // sway refuses root; nobody owns its folder then.
    if (root) { for (const one of [folder, authority]) chownSync(one, 65534, 65534); }
    chmodSync(folder, 0o700);
    const as = root ? { uid: 65534, gid: 65534 } : {};
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      SWAYSOCK: join(folder, "sway.sock"),
      WAYLAND_DISPLAY: "wayland-1",
    };
    const children: ChildProcess[] = [];
    try {
      const { WAYLAND_DISPLAY: _, ...bare } = env;
      const headless = { WLR_BACKENDS: "headless", WLR_LIBINPUT_NO_DEVICES: "1", WLR_RENDERER: "pixman" };
      children.push(spawn("sway", ["-c", config], { env: { ...bare, ...headless }, stdio: "ignore", ...as }));
      const sway = await eventually(() => connectI3(env.SWAYSOCK));
      sway.close();
      const server = spawn("Xwayland", ["-displayfd", "1", "-auth", authority, "-shm", "-noreset"], {
        env,
        stdio: ["ignore", "pipe", "ignore"],
        ...as,
      });
      children.push(server);
      let number = "";
      const bell = new Bell();
      server.stdout?.on("data", (data) => {
        number += String(data);
        bell.ring();
      });
      await bell.until(() => number.includes("\n"));
      const { manager, tried } = await findWindowManager({
        DISPLAY: `:${number.trim()}`,
        XAUTHORITY: authority,
      });
      assert.equal(manager, undefined);
      assert.equal(tried[4]?.error.code, "unsupported", String(tried[4]?.error));
      assert.match(tried[4].error.message, /XWayland/);
    } finally {
      for (const child of children.reverse()) await finished(child);
      rmSync(folder, { recursive: true });
    }
  },
});
