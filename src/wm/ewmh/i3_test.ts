import assert from "node:assert/strict";
import { Bell } from "../_server.ts";
import { connectI3 } from "../i3-ipc.ts";
import type { WindowManager } from "../model.ts";
import { eventually, REAL, TestDesktop } from "./_desktop.ts";

/** What both tell of each window, by its title: ids are i3's containers here and X11's windows there. */
async function comparable(wm: WindowManager) {
  const names = new Map((await wm.workspaces()).map(({ id, name }) => [id, name]));
  return (await wm.windows()).map((one) => ({
    title: one.title,
    app_id: one.app_id,
    workspace: one.workspace_id === null ? null : names.get(one.workspace_id),
    is_focused: one.is_focused,
    is_urgent: one.is_urgent,
    content: one.content,
    rect: one.rect,
  })).sort((a, b) => String(a.title) < String(b.title) ? -1 : 1);
}

async function spaces(wm: WindowManager) {
  return (await wm.workspaces()).map(({ name, output, idx, is_focused, is_urgent }) => ({
    name,
    output,
    idx,
    is_focused,
    is_urgent,
  })).sort((a, b) => String(a.name) < String(b.name) ? -1 : 1);
}

Deno.test({
  name: "i3 tells the same over EWMH as over its own IPC: outputs, workspaces, windows, places, focus",
  ignore: !REAL,
  async fn() {
    await using desktop = await TestDesktop.start();
    desktop.i3();
    const ewmh = await desktop.managed();
    const ipc = await eventually(() => connectI3(desktop.i3Socket));
    try {
      const bell = new Bell();
      ewmh.on(bell.ring);
      ipc.on(bell.ring);
      await bell.next(0);
      const client = await desktop.client();
      const agree = async () => {
        let said: [unknown, unknown] = [null, null];
        try {
          // They tell of a change at different moments.
          await bell.until(async () => {
            const [here, there] = said = [
              [await comparable(ewmh), await spaces(ewmh)],
              [await comparable(ipc), await spaces(ipc)],
            ];
            return JSON.stringify(here) === JSON.stringify(there);
          });
        } catch (error) {
          assert.deepEqual(said[0], said[1]);
          throw error;
        }
      };
      client.do("open", "first");
      client.do("open", "second");
      await bell.until(async () => (await ewmh.windows()).length === 2);
      await agree();
      await ipc.command('[title="first"] floating enable, resize set 300 200, move position 111 99');
      await agree();
      const first = (await ewmh.windows()).find(({ title }) => title === "first");
      assert.deepEqual(first?.content, (await client.state("first"))["content"]);
      const asked = { x: 60, y: 70, width: 320, height: 240 };
      await ewmh.command({ PlaceWindow: { id: first?.id ?? 0, ...asked } });
      await bell.until(async () =>
        (await ewmh.windows()).some(({ rect }) => rect?.x === 60 && rect.height === 240)
      );
      await agree();
      assert.deepEqual((await ipc.windows()).find(({ title }) => title === "first")?.rect, asked);
      await ipc.command('[title="second"] move container to workspace 5');
      await agree();
      client.do("urgent", "second");
      await bell.until(async () => (await ewmh.windows()).some(({ is_urgent }) => is_urgent));
      await agree();
      const five = (await ewmh.workspaces()).find(({ name }) => name === "5");
      await ewmh.command({ FocusWorkspace: { reference: { Id: five?.id ?? 0 } } });
      await bell.until(async () =>
        (await ipc.workspaces()).some((one) => one.name === "5" && one.is_focused)
      );
      await agree();
      const [one] = await ewmh.windows();
      await ewmh.command({ FocusWindow: { id: one?.id ?? 0 } });
      await bell.until(async () => (await ewmh.windows())[0]?.is_focused === true);
      await agree();
      const [output, ...others] = await ewmh.outputs();
      assert.deepEqual(others, []);
      assert.deepEqual([output?.name, output?.logical?.width], [(await ipc.outputs())[0]?.name, 800]);
      for (const one of await ewmh.windows()) await ewmh.command({ CloseWindow: { id: one.id } });
      await bell.until(async () => (await ewmh.windows()).length + (await ipc.windows()).length === 0);
    } finally {
      ewmh.close();
      ipc.close();
    }
  },
});
