import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline } from "../../base/call.ts";
import { NiriStandIn, niriState } from "../../wm/_niri.ts";
import { StandIn } from "../../wm/_server.ts";
import { compositorStandIn, GNOME_OFFERS, message, number, SWAY_OFFERS, text } from "./_compositor.ts";
import { globalsOf } from "./globals.ts";
import { findOwnWayland } from "./own.ts";

/** A folder with a compositor in it, and what else the test starts there. */
async function withSocket(
  server: (path: string) => StandIn,
  use: (path: string, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "own-wayland-"));
  const compositor = server(join(folder, "wayland-7"));
  try {
    await compositor.start();
    await use(compositor.path, folder);
  } finally {
    await compositor.stop();
    rmSync(folder, { recursive: true });
  }
}

const soon = (milliseconds = 2_000) => Deadline.after(milliseconds);

Deno.test("an environment without a Wayland session says what is missing", async () => {
  await assert.rejects(findOwnWayland({}, soon()), {
    code: "no_desktop",
    message: "Cannot attach to your Wayland desktop: WAYLAND_DISPLAY is not set",
    hint: /--session isolated --display wayland/,
  });
  await assert.rejects(findOwnWayland({ WAYLAND_DISPLAY: "wayland-0" }, soon()), {
    code: "no_desktop",
    message: /XDG_RUNTIME_DIR is not set/,
  });
  await assert.rejects(findOwnWayland({ WAYLAND_DISPLAY: "/nonexistent/wayland-0" }, soon()), {
    code: "no_desktop",
    message: /at \/nonexistent\/wayland-0 .*ENOENT/,
  });
});

Deno.test("a compositor without input protocols is refused by name, and private desktops are offered", async () => {
  await withSocket((path) => compositorStandIn(path, GNOME_OFFERS), async (_, folder) => {
    // A name in XDG_RUNTIME_DIR, as sessions have it.
    const environment = {
      WAYLAND_DISPLAY: "wayland-7",
      XDG_RUNTIME_DIR: folder,
      XDG_CURRENT_DESKTOP: "ubuntu:GNOME",
    };
    await assert.rejects(findOwnWayland(environment, soon()), {
      code: "unsupported",
      message:
        "Cannot attach to your Wayland desktop (ubuntu:GNOME) yet: it does not offer zwlr_virtual_pointer_manager_v1, zwp_virtual_keyboard_manager_v1",
      hint: /sway and niri.*--session isolated --display wayland/,
    });
  });
});

Deno.test("a compositor whose window manager does not answer is refused", async () => {
  await withSocket((path) => compositorStandIn(path, SWAY_OFFERS), async (path, folder) => {
    // labwc and Hyprland have the protocols; XWayland's DISPLAY leads to no window manager of theirs.
    const labwc = { WAYLAND_DISPLAY: path, DISPLAY: ":0", XDG_CURRENT_DESKTOP: "labwc:wlroots" };
    await assert.rejects(findOwnWayland(labwc, soon()), {
      code: "unsupported",
      message: /\(labwc:wlroots\) yet: SWAYSOCK and NIRI_SOCKET are not set/,
    });
    const stale = { WAYLAND_DISPLAY: path, SWAYSOCK: join(folder, "gone.sock") };
    await assert.rejects(findOwnWayland(stale, soon()), {
      code: "unsupported",
      message: /\(sway\) yet: its window manager does not answer \(SWAYSOCK: .*gone\.sock/,
    });
  });
});

Deno.test("niri is found by its socket", async () => {
  await withSocket((path) => compositorStandIn(path, SWAY_OFFERS), async (path, folder) => {
    const niri = new NiriStandIn(join(folder, "niri.sock"), niriState());
    try {
      await niri.start();
      // A socket of sway that was left behind does not matter.
      const environment = {
        WAYLAND_DISPLAY: path,
        NIRI_SOCKET: niri.path,
        SWAYSOCK: join(folder, "gone.sock"),
      };
      assert.deepEqual(await findOwnWayland(environment, soon()), {
        display: `wayland:${path}`,
        compositor: "niri",
      });
    } finally {
      await niri.stop();
    }
  });
});

Deno.test("what answers like no compositor is refused with the reason", async () => {
  const replies: readonly [Uint8Array | undefined, RegExp][] = [
    [message(1, 0, number(2), number(1), text("no such object")), /no such object/],
    [Uint8Array.from([2, 0, 0, 0, 0, 0, 3, 0]), /a message of 3 bytes|a message of \d+ bytes/],
    [message(2, 0, number(1), number(400)), /a text of 400 bytes is cut off/],
    [undefined, /it closed the connection/],
  ];
  for (const [reply, why] of replies) {
    const talks = (path: string) =>
      new StandIn(
        path,
        (socket) => void socket.once("data", () => reply ? socket.write(reply) : socket.end()),
      );
    await withSocket(talks, async (path) => {
      await assert.rejects(globalsOf(path, soon()), { code: "no_desktop", message: why });
    });
  }
});

Deno.test("a compositor that says nothing is given up in time", async () => {
  await withSocket((path) => new StandIn(path, () => {}), async (path) => {
    await assert.rejects(globalsOf(path, soon(100)), { code: "timeout" });
  });
});
