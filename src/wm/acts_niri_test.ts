import assert from "node:assert/strict";
import { Deadline } from "../base/call.ts";
import { asMap } from "../base/json.ts";
import { niriWindow } from "./_niri.ts";
import { withNiri } from "./_with-niri.ts";
import { closeWindow, focusWindow, sendWindow, setFloating, switchWorkspace } from "./acts.ts";
import { managedBy } from "./managed.ts";
import { placeWindow } from "./place.ts";

const soon = () => Deadline.after(10_000);

Deno.test("niri: each act is sent in its own words, by stable ids", async () => {
  await withNiri(async ({ wm, niri, window }) => {
    const manager = managedBy(wm);
    const mail = (await manager.workspaces()).find(({ name }) => name === "mail");
    assert.ok(mail);
    assert.deepEqual(await focusWindow(manager, await window(40), soon()), { method: "niri focus" });
    assert.deepEqual((await manager.workspaces()).find(({ is_focused }) => is_focused)?.id, 3);
    assert.deepEqual(await focusWindow(manager, await window(40), soon()), { method: "none" });
    await switchWorkspace(manager, { id: 12, name: null }, soon());
    await sendWindow(manager, await window(7), mail, soon());
    await closeWindow(manager, await window(40), soon());
    assert.deepEqual(niri.actions, [
      { FocusWindow: { id: 40 } },
      { FocusWorkspace: { reference: { Id: 12 } } },
      { MoveWindowToWorkspace: { window_id: 7, reference: { Id: 3 }, focus: false } },
      { CloseWindow: { id: 40 } },
    ]);
    assert.deepEqual((await manager.windows()).map(({ id, workspace_id }) => [id, workspace_id]), [[7, 3]]);
  });
});

Deno.test("niri: a window that is placed floats, and is read back on its output, which begins at -1536, 0", async () => {
  await withNiri(async ({ wm, niri, window }) => {
    const manager = managedBy(wm);
    assert.equal((await window(7)).rect, null);
    const place = { x: -1400, y: 60, width: 500, height: 400 };
    assert.deepEqual(await placeWindow(manager, await window(7), place, soon()), { method: "niri place" });
    const now = await window(7);
    assert.deepEqual([now.is_floating, now.content], [true, place]);
    const layout = asMap(niri.state.windows.find(({ id }) => id === 7)?.["layout"] ?? null);
    // Where it is in the view of its output; half a pixel is the border's.
    assert.deepEqual(layout["tile_pos_in_workspace_view"], [136, 59]);
    assert.deepEqual([...new Set(niri.actions.map((one) => Object.keys(Object(one))[0]))], [
      "MoveWindowToFloating",
      "SetWindowWidth",
      "SetWindowHeight",
      "MoveFloatingWindow",
    ]);
    await setFloating(manager, await window(7), false, soon());
    assert.deepEqual([(await window(7)).is_floating, (await window(7)).content], [false, null]);
    // Before 25.08 it did not say where.
    niri.state.windows = [niriWindow(9, { is_floating: true, layout: null })];
    await assert.rejects(placeWindow(manager, await window(9), place, soon()), {
      code: "unsupported",
      message: 'Cannot place window "window 9": niri does not say where it lies',
    });
  });
});

Deno.test("niri: what it takes and does not do is no success", async () => {
  await withNiri(async ({ wm, niri, window }) => {
    const manager = managedBy(wm);
    const seven = await window(7), forty = await window(40);
    niri.deaf = true;
    const acts = [
      () => focusWindow(manager, forty, soon()),
      () => closeWindow(manager, forty, soon()),
      () => setFloating(manager, seven, true, soon()),
      () => placeWindow(manager, seven, { x: 1 }, soon()),
      () => switchWorkspace(manager, { id: 3, name: "mail" }, soon()),
      () => sendWindow(manager, seven, { id: 3, name: "mail" }, soon()),
      // A workspace that is gone by now: niri takes its id.
      () => switchWorkspace(manager, { id: 99, name: null }, soon()),
    ];
    for (const act of acts) {
      await assert.rejects(act(), { code: "no_effect", message: /the window manager took it, and / });
    }
    niri.deaf = false;
    await assert.rejects(sendWindow(manager, seven, { id: 99, name: null }, soon()), { code: "no_effect" });
    await assert.rejects(switchWorkspace(manager, { id: null, name: "new" }, soon()), {
      code: "unsupported",
      hint: /always has an empty one/,
    });
    niri.close(40);
    await assert.rejects(focusWindow(manager, forty, soon()), { code: "stale" });
    await assert.rejects(sendWindow(manager, forty, { id: 12, name: null }, soon()), { code: "stale" });
  });
});
