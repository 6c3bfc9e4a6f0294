import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Deadline } from "../src/base/call.ts";
import { attachToDesktop } from "../src/session/attach.ts";
import { Leases } from "../src/session/lease.ts";
import { type PrivateDesktop, startPrivateDesktop } from "../src/session/private-desktop.ts";
import { whenGone } from "../src/session/processes.ts";
import { reapAbandoned } from "../src/session/reap.ts";
import type { DesktopSettings } from "../src/session/settings/settings.ts";
import { connectI3 } from "../src/wm/i3-ipc.ts";
import { withPlace } from "./cli/program.ts";
import { displayLeft, tracesOf, withState } from "./session/traces.ts";

async function onWayland(
  settings: DesktopSettings,
  use: (desktop: PrivateDesktop, state: string) => Promise<void> | void,
): Promise<void> {
  await withState(async (state) => {
    const desktop = await startPrivateDesktop({ state, settings: { display: "wayland", ...settings } });
    try {
      await use(desktop, state);
    } finally {
      await desktop.stop();
    }
    assert.deepEqual(tracesOf(desktop.lease, state), []);
  });
}

/** What `xprop`-like programs see first: whether the X server lets a client in. Python's own Xlib is not needed for it. */
function greeted(environment: Readonly<Record<string, string>>): string {
  const script = "import tkinter; tkinter.Tk().destroy(); print('let in')";
  const { stdout, stderr } = spawnSync("python3", ["-c", script], {
    env: { ...environment },
    timeout: 10_000,
  });
  return `${stdout}${stderr}`;
}

function userOf(pid: number): string {
  return /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
}

Deno.test("a private Wayland desktop has a compositor that is no root, and leaves nothing behind", async () => {
  await onWayland({}, (desktop, state) => {
    assert.match(desktop.display, /^wayland:\/.*\/wl\/wayland-\d+$/);
    assert.ok(statSync(desktop.display.slice("wayland:".length)).isSocket());
    const { lease, environment, folders } = desktop;
    assert.deepEqual(lease.parts.map(({ name }) => name).sort(), ["accessibility", "bus", "sway"]);
    const compositor = lease.parts.find(({ name }) => name === "sway");
    assert.ok(compositor);
    const own = String(process.getuid?.());
    // sway refuses root; whatever else runs on the desktop stays the caller's.
    if (own === "0") assert.notEqual(userOf(compositor.pid), "0");
    else assert.equal(userOf(compositor.pid), own);
    for (const { name, pid } of lease.parts) if (name !== "sway") assert.equal(userOf(pid), own, name);
    assert.equal(statSync(folders.home).uid, process.getuid?.());
    for (
      const folder of [
        folders.home,
        folders.runtime,
        folders.temporary,
        folders.logs,
        join(folders.root, "wl"),
      ]
    ) {
      assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
    }
    assert.equal(environment["XDG_SESSION_TYPE"], "wayland");
    // Who attaches later finds the same.
    assert.deepEqual(attachToDesktop(desktop.id, state).environment, environment);
  });
});

Deno.test("outputs, their places and the scale of a private Wayland desktop are as asked for", async () => {
  await onWayland({ monitors: ["1280x800", "800x600+1280+200"], scale: 2 }, async ({ environment }) => {
    const manager = await connectI3(environment["SWAYSOCK"] ?? "");
    try {
      assert.equal(manager.kind, "sway");
      const outputs = (await manager.outputs()).map(({ name, logical }) => ({ name, logical }));
      assert.deepEqual(outputs, [
        {
          name: "HEADLESS-1",
          logical: { x: 0, y: 0, width: 640, height: 400, scale: 2, transform: "Normal" },
        },
        {
          name: "HEADLESS-2",
          logical: { x: 640, y: 100, width: 400, height: 300, scale: 2, transform: "Normal" },
        },
      ]);
    } finally {
      manager.close();
    }
  });
});

Deno.test("XWayland lets in who has the key of the desktop, and nobody else", async () => {
  await onWayland({}, ({ environment }) => {
    assert.match(environment["DISPLAY"] ?? "", /^:\d+$/);
    assert.equal(greeted(environment).trim(), "let in");
    const { XAUTHORITY: _, ...without } = environment;
    assert.match(greeted({ ...without, HOME: "/nonexistent" }), /couldn't connect to display/);
  });
});

Deno.test("a Wayland desktop whose owner was killed is ended with all that ran on it", async () => {
  await withState(async (state) => {
    const script = fileURLToPath(new URL("./session/owner.ts", import.meta.url));
    const options = JSON.stringify({ settings: { display: "wayland" } });
    const child = spawn(process.execPath, ["run", "--quiet", "-A", "--no-check", script, state, options], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const finished = new Promise((resolve) => child.once("exit", resolve));
    let text = "";
    for await (const chunk of child.stdout) {
      text += chunk;
      if (text.includes("\n")) break;
    }
    const { id } = JSON.parse(text);
    const lease = new Leases(state).read(id);
    assert.ok(lease);
    const number = lease.environment?.["DISPLAY"]?.slice(1) ?? "";
    assert.ok(existsSync(`/tmp/.X11-unix/X${number}`));
    child.kill("SIGKILL");
    await finished;
    assert.deepEqual((await reapAbandoned({ state })).map((one) => one.id), [id]);
    assert.deepEqual(tracesOf(lease, state), []);
    assert.deepEqual(displayLeft(number), []);
  });
});

Deno.test("a compositor that was killed leaves no X display behind once its desktop is ended", async () => {
  await onWayland({}, async (desktop) => {
    const number = desktop.environment["DISPLAY"]?.slice(1) ?? "";
    const compositor = desktop.lease.parts.find(({ name }) => name === "sway");
    assert.ok(compositor);
    process.kill(compositor.pid, "SIGKILL");
    await whenGone([compositor], Deadline.after(2_000));
    assert.ok(existsSync(`/tmp/.X${number}-lock`));
    await desktop.stop();
    assert.deepEqual(displayLeft(number), []);
  });
});

Deno.test("what Wayland does not have is refused before anything starts", async () => {
  await withState(async (state) => {
    const started = startPrivateDesktop({ state, settings: { display: "wayland", dpi: 144 } });
    await assert.rejects(started, { code: "invalid", message: /dpi: Wayland has none/ });
    const missing = startPrivateDesktop({
      state,
      settings: { display: "wayland" },
      programs: { sway: "/nonexistent/sway" },
    });
    await assert.rejects(missing, { code: "no_desktop", message: /sway/ });
    assert.deepEqual(new Leases(state).all(), []);
  });
});

Deno.test({
  name: "a compositor that is no root is told of a folder that it may not go through, and nothing is left",
  ignore: process.getuid?.() !== 0,
  fn() {
    const closed = mkdtempSync(join(tmpdir(), "bs-closed-"));
    const script = fileURLToPath(new URL("./session/owner.ts", import.meta.url));
    const options = JSON.stringify({ settings: { display: "wayland" } });
    try {
      const { status, stderr } = spawnSync(
        process.execPath,
        ["run", "--quiet", "-A", "--no-check", script, join(closed, "state"), options],
        { env: { ...process.env, TMPDIR: closed }, timeout: 20_000, encoding: "utf8" },
      );
      // It ended by itself: a watch that nobody closes would have kept it.
      assert.notEqual(status, null);
      assert.ok(stderr.includes(`it may not go through ${closed}`), stderr);
      assert.deepEqual(readdirSync(closed).filter((name) => name !== "state"), []);
    } finally {
      rmSync(closed, { recursive: true });
    }
  },
});

Deno.test("a compositor that ends at once ends the command, which nothing keeps waiting", async () => {
  await withPlace(async (place) => {
    chmodSync(join(place.work, place.file("sway", "#!/bin/sh\nexit 1\n")), 0o755);
    const { code, out, err } = await place.run(["session", "start", "--display", "wayland"], {
      env: { PATH: `${place.work}:${process.env["PATH"]}` },
      timeout: 20_000,
    });
    assert.match(out + err, /sway: it ended with exit code 1/);
    assert.notEqual(code, null, "it was still there after its error");
    assert.deepEqual(place.traces(), []);
  });
});
