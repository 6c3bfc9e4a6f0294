import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { request, u16, u32 } from "../../x11/bytes.ts";
import { onDisplay } from "../../x11/display-connection.ts";
import { openRandr } from "../../x11/randr.ts";
import { queryExtension } from "../../x11/requests.ts";
import { Bell } from "../_server.ts";
import type { WindowManager, WmWindow } from "../model.ts";
import { Client, finished, REAL, TestDesktop } from "./_desktop.ts";

/** Listens; what rings later is news. */
async function listening(wm: WindowManager): Promise<Bell> {
  const bell = new Bell();
  wm.on(bell.ring);
  await bell.next(0);
  return bell;
}

async function titled(wm: WindowManager, title: string): Promise<WmWindow | undefined> {
  return (await wm.windows()).find((one) => one.title === title);
}

/** A window that was opened, once an event told of it and it has its place. */
async function opened(wm: WindowManager, bell: Bell, client: Client, title: string): Promise<WmWindow> {
  client.do("open", title);
  await bell.until(async () => (await titled(wm, title))?.is_focused === true);
  const window = await titled(wm, title);
  assert(window !== undefined);
  return window;
}

Deno.test({
  name: "openbox: windows with places, focus, workspaces and states, as the application itself tells",
  ignore: !REAL,
  async fn() {
    await using desktop = await TestDesktop.start();
    desktop.openbox();
    const wm = await desktop.managed();
    try {
      const bell = await listening(wm);
      const client = await desktop.client();
      const first = await opened(wm, bell, client, "first");
      const own = await client.state("first");
      assert.deepEqual(first, {
        id: own["xid"],
        title: "first",
        app_id: "Client",
        pid: client.process.pid,
        workspace_id: 1,
        is_focused: true,
        is_floating: true,
        is_urgent: false,
        rect: own["frame"],
        content: own["content"],
        is_visible: true,
        stacking: null,
        is_x11: true,
      });
      assert((first.content?.y ?? 0) > (first.rect?.y ?? 0), "openbox draws a title bar");

      const second = await opened(wm, bell, client, "second");
      assert.equal((await titled(wm, "first"))?.is_focused, false);
      await wm.command({ FocusWindow: { id: first.id } });
      await bell.until(async () => (await titled(wm, "first"))?.is_focused === true);
      assert.equal((await client.state("first"))["active"], true);

      for (const asked of [{ x: 40, y: 50, width: 320, height: 240 }, { x: 7 }, { height: 150 }]) {
        const before = (await titled(wm, "first"))?.rect;
        await wm.command({ PlaceWindow: { id: first.id, ...asked } });
        const expected = { ...before, ...asked };
        await bell.until(async () => {
          const { rect } = await titled(wm, "first") ?? {};
          return Object.entries(expected).every(([key, value]) =>
            Object.entries(rect ?? {}).some(([k, v]) => k === key && v === value)
          );
        });
        const now = await titled(wm, "first");
        // The window has its size before its application has heard of it.
        const deadline = Deadline.after(5_000);
        let own = await client.state("first");
        while (!isDeepStrictEqual(own["content"], now?.content) && !deadline.passed) {
          own = await client.state("first");
        }
        assert.deepEqual([now?.rect, now?.content], [own["frame"], own["content"]]);
        assert.deepEqual(now?.rect, expected);
      }

      await wm.command({ MoveWindowToWorkspace: { window_id: second.id, reference: { Id: 2 } } });
      await bell.until(async () => (await titled(wm, "second"))?.workspace_id === 2);
      assert.equal((await titled(wm, "second"))?.is_visible, false);
      assert.equal((await client.state("second"))["desktop"], 1);
      await wm.command({ FocusWorkspace: { reference: { Id: 2 } } });
      await bell.until(async () => (await titled(wm, "second"))?.is_focused === true);
      assert.deepEqual([(await titled(wm, "second"))?.is_visible, (await titled(wm, "first"))?.is_visible], [
        true,
        false,
      ]);
      const spaces = (await wm.workspaces()).map((
        one,
      ) => [one.id, one.idx, one.name, one.is_active, one.active_window_id]);
      assert.deepEqual(spaces, [[1, 1, "mail", false, null], [2, 2, "wörk", true, second.id], [
        3,
        3,
        "desktop 3",
        false,
        null,
      ]]);
      client.do("stick", "first");
      await bell.until(async () => (await titled(wm, "first"))?.workspace_id === 2);
      await bell.until(async () => (await titled(wm, "first"))?.is_visible === true);

      client.do("urgent", "first");
      await bell.until(async () => (await titled(wm, "first"))?.is_urgent === true);
      assert.deepEqual((await wm.workspaces()).map(({ is_urgent }) => is_urgent), [false, true, false]);
      client.do("iconify", "second");
      await bell.until(async () => (await titled(wm, "second"))?.is_visible === false);
      assert.equal((await client.state("second"))["iconified"], true);
      client.do("title", "second");
      await bell.until(async () => await titled(wm, "second ✓") !== undefined);

      client.do("dock", "panel");
      await client.next("map", "panel");
      assert.equal(await titled(wm, "panel"), undefined);

      await wm.command({ CloseWindow: { id: first.id } });
      await client.next("delete", "first");
      await bell.until(async () => (await wm.windows()).every(({ id }) => id !== first.id));
      await assert.rejects(wm.command({ FocusWindow: { id: first.id } }), {
        code: "refused",
        message: /no window/,
      });
    } finally {
      wm.close();
    }
  },
});

Deno.test({
  name: "openbox: forty windows that go while they are listed do not fail the list",
  ignore: !REAL,
  async fn() {
    await using desktop = await TestDesktop.start();
    desktop.openbox();
    const wm = await desktop.managed();
    try {
      const bell = await listening(wm);
      const staying = await desktop.client();
      await opened(wm, bell, staying, "stays");
      const going = await desktop.client();
      for (let at = 0; at < 40; at++) going.do("open", `w${at}`);
      await bell.until(async () => (await wm.windows()).length === 41);
      // The display drops the windows at once, and the window manager its list of them a little later.
      going.process.kill("SIGKILL");
      for (let left = 41; left > 1;) {
        const windows = await wm.windows();
        assert(windows.some(({ title }) => title === "stays"));
        left = windows.length;
      }
    } finally {
      wm.close();
    }
  },
});

Deno.test({
  name: "openbox: a window manager that dies is missed, and the next one takes its place",
  ignore: !REAL,
  async fn() {
    await using desktop = await TestDesktop.start();
    const manager = desktop.openbox();
    const wm = await desktop.managed();
    try {
      const bell = await listening(wm);
      const seen = bell.count;
      await finished(manager);
      await bell.next(seen);
      await assert.rejects(wm.windows(), { code: "no_desktop", message: /no window manager/ });
      await assert.rejects(wm.command({ FocusWorkspace: { reference: { Id: 1 } } }), { code: "no_desktop" });
      desktop.openbox();
      await bell.until(() =>
        wm.windows().then(() => true, (error: unknown) => {
          if (error instanceof BackstepError && error.code === "no_desktop") return false;
          throw error;
        })
      );
      const client = await desktop.client();
      await opened(wm, bell, client, "after it");
    } finally {
      wm.close();
    }
  },
});

Deno.test({
  name: "monitors and keyboard layouts of a display, and their changes",
  ignore: !REAL,
  async fn() {
    await using desktop = await TestDesktop.start();
    const manager = desktop.openbox();
    const wm = await desktop.managed();
    try {
      const bell = await listening(wm);
      const [screen, ...others] = await wm.outputs();
      assert.deepEqual(others, []);
      assert.deepEqual(screen?.logical, {
        x: 0,
        y: 0,
        width: 800,
        height: 600,
        scale: 1,
        transform: "Normal",
      });
      assert.deepEqual(screen.modes.map(({ width, height }) => [width, height]), [[800, 600]]);
      assert(screen.physical_size !== null && screen.physical_size[0] > 0);
      assert.deepEqual(await wm.keyboardLayouts(), { names: ["English (US)"], current_idx: 0 });
      desktop.run("setxkbmap", ["-layout", "us,de"]);
      await bell.until(async () => (await wm.keyboardLayouts()).names.length === 2);
      assert.deepEqual(await wm.keyboardLayouts(), { names: ["English (US)", "German"], current_idx: 0 });
      // What openbox does of its own accord is no event of the keyboard or of a monitor. It is ready once it has a window.
      await opened(wm, bell, await desktop.client(), "one");
      manager.kill("SIGSTOP");
      let seen = bell.count;
      const deadline = Deadline.after(5_000), { display, authority } = desktop;
      await onDisplay({ display, authority, doing: "use a layout", deadline }, async (connection) => {
        const { opcode } = await connection.ask(queryExtension("XKEYBOARD")) ?? { opcode: 0 };
        await connection.ask({
          bytes: request(opcode, 0, [u16(1), u16(0)]),
          read: () => {},
        });
        // XkbLatchLockState: group 1 is locked.
        await connection.tell(request(opcode, 5, [u16(0x100), Uint8Array.of(0, 0, 1, 1, 0, 0, 0, 0, 0, 0)]));
      });
      seen = await bell.next(seen);
      await bell.until(async () => (await wm.keyboardLayouts()).current_idx === 1);
      await onDisplay({ display, authority, doing: "divide it", deadline }, async (connection) => {
        const randr = await openRandr(connection);
        assert(randr !== undefined);
        const { root } = connection.screen;
        const { outputs } = await connection.ask(randr.resources(root));
        for (const [index, name] of ["right", "left"].entries()) {
          await connection.tell(randr.setMonitor(root, {
            name: await connection.atom(name),
            primary: index === 0,
            x: index === 0 ? 500 : 0,
            y: 0,
            width: index === 0 ? 300 : 500,
            height: 600,
            millimetres: [0, 0],
            outputs: index === 0 ? outputs.slice(0, 1) : [],
          }));
        }
      });
      await bell.next(seen);
      await bell.until(async () => (await wm.outputs()).length === 2);
      const divided = (await wm.outputs()).map((
        { name, logical, modes, physical_size },
      ) => [name, logical?.x, modes, physical_size]);
      const mode = { height: 600, refresh_rate: null, is_preferred: null };
      assert.deepEqual(divided, [
        ["left", 0, [{ ...mode, width: 500 }], null],
        ["right", 500, [{ ...mode, width: 300 }], null],
      ]);
      // openbox says of each desktop that its corner is 0,0: there lies "left".
      assert.deepEqual((await wm.workspaces()).map(({ output, idx }) => [output, idx]), [["left", 1], [
        "left",
        2,
      ], ["left", 3]]);
      seen = bell.count;
      await onDisplay({ display, authority, doing: "switch it off", deadline }, async (connection) => {
        const randr = await openRandr(connection);
        assert(randr !== undefined);
        const { opcode } = await connection.ask(queryExtension("RANDR")) ?? { opcode: 0 };
        const { outputs, time } = await connection.ask(randr.resources(connection.screen.root));
        const { crtc } = await connection.ask(randr.output(outputs[0] ?? 0, time));
        // RRSetCrtcConfig: no mode, not rotated, no outputs.
        const off = [u32(crtc), u32(0), u32(time), u32(0), u32(0), u16(1), u16(0)];
        const status = await connection.ask({
          bytes: request(opcode, 21, off),
          read: (reply) => reply.getUint8(1),
        });
        assert.equal(status, 0);
      });
      await bell.next(seen);
    } finally {
      wm.close();
    }
  },
});
