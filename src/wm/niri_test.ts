import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../base/error.ts";
import { EVENT_BUFFER, NiriStandIn, type NiriState, niriState, niriWindow, niriWorkspace } from "./_niri.ts";
import { Bell, StandIn } from "./_server.ts";
import type { WindowManager } from "./model.ts";
import { connectNiri, niriDecoder } from "./niri-ipc.ts";
import { MOST_BYTES } from "./socket.ts";

async function withNiri(
  body: (wm: WindowManager, niri: NiriStandIn) => Promise<void>,
  state: NiriState = niriState(),
  unknown: readonly string[] = [],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wm-niri-"));
  const niri = new NiriStandIn(join(folder, "niri.wayland-1.1.sock"), state, unknown);
  let wm: WindowManager | undefined;
  try {
    await niri.start();
    wm = await connectNiri(niri.path);
    await body(wm, niri);
  } finally {
    wm?.close();
    await niri.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Begins to listen; resolves once niri has told its state up front, so that what rings later is news. */
async function listening(wm: WindowManager): Promise<Bell> {
  const bell = new Bell();
  wm.on(bell.ring);
  // One for the connection, six for the state.
  await bell.next(6);
  return bell;
}

const idsOf = async (wm: WindowManager) => (await wm.windows()).map(({ id }) => id);

Deno.test("niri: outputs, workspaces, windows, layers, layouts and overview in its own fields, sorted", async () => {
  await withNiri(async (wm) => {
    assert.equal(wm.kind, "niri");
    assert.deepEqual([...wm.parts], ["layers", "keyboard-layouts", "overview-state"]);
    const [dell, panel, ...others] = await wm.outputs();
    assert.deepEqual(others, []);
    assert.deepEqual(dell, {
      name: "DP-1",
      make: "Dell Inc.",
      model: "U2720Q",
      serial: "ABC123",
      physical_size: [597, 336],
      modes: [
        { width: 3840, height: 2160, refresh_rate: 59_997, is_preferred: true },
        { width: 1920, height: 1080, refresh_rate: 60_000, is_preferred: false },
      ],
      current_mode: 0,
      vrr_supported: true,
      vrr_enabled: false,
      logical: { x: -1536, y: 0, width: 1536, height: 2731, scale: 1.40625, transform: "Flipped90" },
    });
    assert.deepEqual([panel?.serial, panel?.physical_size, panel?.current_mode, panel?.logical], [
      null,
      null,
      null,
      null,
    ]);
    assert.deepEqual(await wm.workspaces(), [
      {
        id: 3,
        idx: 2,
        name: "mail",
        output: "DP-1",
        is_urgent: false,
        is_active: false,
        is_focused: false,
        active_window_id: null,
      },
      {
        id: 12,
        idx: 1,
        name: null,
        output: "DP-1",
        is_urgent: false,
        is_active: true,
        is_focused: true,
        active_window_id: 7,
      },
    ]);
    const nowhere = {
      rect: null,
      content: null,
      is_visible: null,
      stacking: null,
      is_x11: null,
      is_urgent: false,
    };
    assert.deepEqual(await wm.windows(), [
      {
        id: 7,
        title: "window 7",
        app_id: "org.example.App",
        pid: 4711,
        workspace_id: 12,
        is_focused: true,
        is_floating: false,
        ...nowhere,
      },
      {
        id: 40,
        title: null,
        app_id: null,
        pid: null,
        workspace_id: 3,
        is_focused: false,
        is_floating: true,
        ...nowhere,
      },
    ]);
    assert.deepEqual(
      (await wm.layers()).map(({ id, keyboard_interactivity }) => [id, keyboard_interactivity]),
      [
        ["DP-1:Background:wallpaper:1", "None"],
        ["DP-1:Top:waybar:1", "OnDemand"],
        ["DP-1:Top:waybar:2", "None"],
      ],
    );
    assert.deepEqual(await wm.keyboardLayouts(), { names: ["English (US)", "German"], current_idx: 1 });
    assert.deepEqual(await wm.overview(), { is_open: false });
  });
});

Deno.test("niri: an action acts and is heard; what niri refuses is refused in its words", async () => {
  await withNiri(async (wm, niri) => {
    const bell = await listening(wm);
    const began = performance.now();
    await wm.command({ FocusWindow: { id: 40 } });
    await bell.until(async () => (await wm.windows()).find(({ is_focused }) => is_focused)?.id === 40);
    assert(performance.now() - began < 1_000);
    assert.deepEqual(niri.actions, [{ FocusWindow: { id: 40 } }]);
    await wm.command({ FocusWindow: { id: 99, later: "ignored" } });
    assert.deepEqual((await wm.windows()).filter(({ is_focused }) => is_focused).map(({ id }) => id), [40]);
    await assert.rejects(wm.command({ Screenshot: { show_pointer: true, path: "a.png" } }), {
      code: "refused",
      message: /niri says "path must be absolute: a.png"/,
    });
    await assert.rejects(wm.command({ FocusWindow: {} }), { code: "refused", message: /cannot parse/ });
    await assert.rejects(wm.command({ NoSuchAction: {} }), { code: "refused" });
    for (const wrong of ["FocusWindow", null, {}, { FocusWindow: { id: 1 }, CloseWindow: {} }, []]) {
      await assert.rejects(wm.command(wrong), { code: "invalid" });
    }
    assert.equal(niri.actions.length, 2);
    // A refusal ends no connection.
    assert.equal(niri.accepted, 2);
  });
});

Deno.test("niri: an older one lacks parts, and says so by name", async () => {
  const state = niriState();
  const { is_urgent: _urgent, layout: _layout, ...window } = niriWindow(7);
  const { is_urgent: _also, ...workspace } = niriWorkspace(12);
  state.windows = [window], state.workspaces = [workspace];
  await withNiri(
    async (wm) => {
      assert.deepEqual([...wm.parts], ["keyboard-layouts"]);
      await assert.rejects(wm.layers(), { code: "unsupported", message: /Cannot list layers/ });
      await assert.rejects(wm.overview(), { code: "unsupported", message: /Cannot read the overview/ });
      assert.deepEqual((await wm.windows()).map(({ id, is_urgent }) => [id, is_urgent]), [[7, null]]);
      assert.deepEqual((await wm.workspaces()).map(({ id, is_urgent }) => [id, is_urgent]), [[12, null]]);
    },
    state,
    ["Layers", "OverviewState"],
  );
});

Deno.test("niri: a reader that is 64 events behind is cut off; it hears again and reads what it missed", async () => {
  await withNiri(async (wm, niri) => {
    const bell = await listening(wm);
    const before = await idsOf(wm);
    // In one go, as within one dispatch of niri: the writer has no turn in between.
    for (let n = 0; n <= EVENT_BUFFER + 10; n++) niri.open(niriWindow(1_000 + n));
    assert.deepEqual([niri.cut, niri.readers], [1, 0]);
    // This event is sent to nobody.
    niri.close(7);
    await bell.until(() => niri.readers === 1);
    await bell.until(async () => !(await idsOf(wm)).includes(7));
    assert.equal((await idsOf(wm)).length, before.length - 1 + EVENT_BUFFER + 11);
    const seen = bell.count;
    niri.close(40);
    await bell.next(seen);
    assert.equal(niri.cut, 1);
  });
});

Deno.test("niri: ids that dangle for a moment are passed on, and heal", async () => {
  await withNiri(async (wm, niri) => {
    const bell = await listening(wm);
    // niri removes a workspace before it tells that its window moved.
    niri.workspaces([niriWorkspace(12, { is_active: true, is_focused: true, active_window_id: 555 })]);
    await bell.until(async () => (await wm.workspaces()).length === 1);
    assert.deepEqual((await wm.workspaces()).map(({ active_window_id }) => active_window_id), [555]);
    assert.deepEqual((await wm.windows()).map(({ workspace_id }) => workspace_id), [12, 3]);
    niri.open(niriWindow(40, { workspace_id: null }));
    await bell.until(async () => (await wm.windows())[1]?.workspace_id === null);
    niri.workspaces([]);
    await bell.until(async () => (await wm.workspaces()).length === 0);
    assert.deepEqual(await idsOf(wm), [7, 40]);
  });
});

Deno.test("niri: unknown fields and variants are tolerated, and unknown events are heard", async () => {
  const state = niriState();
  const plain = niriState();
  const deep: Json = { of: ["a", { later: "version" }] };
  state.windows = state.windows.map((one) => ({ ...one, novel: deep }));
  state.workspaces = state.workspaces.map((one) => ({ ...one, novel: deep }));
  state.outputs["DP-1"] = { ...Object(state.outputs["DP-1"]), hdr: deep };
  state.layers = [...state.layers, {
    namespace: "lock",
    output: "DP-1",
    layer: "Lock",
    keyboard_interactivity: "Always",
    n: 1,
  }];
  state.overview = { is_open: true, zoom: 0.5 };
  await withNiri(async (wm, niri) => {
    const windows = await wm.windows(), outputs = await wm.outputs(), workspaces = await wm.workspaces();
    assert.deepEqual(
      (await wm.layers()).find(({ id }) => id === "DP-1:Lock:lock:1")?.keyboard_interactivity,
      "Always",
    );
    assert.deepEqual(await wm.overview(), { is_open: true });
    const bell = await listening(wm);
    const events: Json[] = [{ SomethingNovel: { id: 1 } }, "AlsoNovel", { Novel: null }, ["x"], 5, null];
    for (const event of events) {
      const seen = bell.count;
      niri.send(event);
      await bell.next(seen);
    }
    assert.equal(niri.readers, 1);
    niri.state = plain;
    assert.deepEqual([await wm.windows(), await wm.outputs(), await wm.workspaces()], [
      windows,
      outputs,
      workspaces,
    ]);
  }, state);
});

Deno.test("niri: a restart is told, and the new one's state is read", async () => {
  await withNiri(async (wm, niri) => {
    const bell = await listening(wm);
    const lost = bell.count;
    await niri.stop();
    await bell.next(lost);
    await assert.rejects(wm.windows(), { code: "no_desktop" });
    await assert.rejects(wm.command({ FocusWindow: { id: 7 } }), { code: "no_desktop" });
    niri.state = { ...niriState(), windows: [niriWindow(1, { workspace_id: 12 })] };
    await niri.start();
    await bell.until(() => niri.readers === 1);
    assert.deepEqual(await idsOf(wm), [1]);
    // Nothing that was sent to the one that ended is sent again.
    assert.deepEqual(niri.actions, []);
    const seen = bell.count;
    niri.open(niriWindow(2));
    await bell.next(seen);
    await bell.until(async () => (await idsOf(wm)).length === 2);
  });
});

Deno.test("niri: an id that a number cannot hold is refused, not mixed up with its neighbour", async () => {
  const state = niriState();
  state.windows = [niriWindow(2 ** 60)];
  await withNiri(async (wm, niri) => {
    await assert.rejects(wm.windows(), { code: "unsupported", message: /its `id` is no usable id/ });
    niri.state.windows = [niriWindow(7, { workspace_id: 2 ** 53 })];
    await assert.rejects(wm.windows(), { code: "unsupported", message: /its `workspace_id`/ });
    niri.state.windows = [{ title: "no id" }];
    await assert.rejects(wm.windows(), { code: "unsupported", message: /undefined/ });
    niri.state.windows = [niriWindow(Number.MAX_SAFE_INTEGER)];
    assert.deepEqual(await idsOf(wm), [Number.MAX_SAFE_INTEGER]);
  }, state);
});

const NOT_NIRI: Record<string, { reply: string; says: RegExp }> = {
  "no JSON": { reply: "i3-ipc\n", says: /a message of 6 characters is not JSON$/ },
  "no reply": { reply: '{"WindowClosed":{"id":1}}\n', says: /does not speak niri's protocol$/ },
  "another reply": { reply: '{"Ok":{"Outputs":{}}}\n', says: /answers Version with something else$/ },
  "nothing but an end": { reply: "", says: /it closed the connection$/ },
};

for (const [what, { reply, says }] of Object.entries(NOT_NIRI)) {
  Deno.test(`a server that answers ${what} is not taken for niri`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "wm-niri-"));
    const server = new StandIn(join(folder, "other.sock"), (socket) => {
      socket.once("data", () => reply === "" ? socket.end() : socket.write(reply));
    });
    await server.start();
    try {
      await assert.rejects(connectNiri(server.path), { code: "no_desktop", message: says });
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  });
}

Deno.test("lines may arrive byte by byte and several in one piece; one too long ends the reading", () => {
  const whole = Buffer.from('{"Ok":"Handled"}\n{"title":"Grüße, 世界 🙂"}\n[]\n', "utf8");
  const expected = [{ Ok: "Handled" }, { title: "Grüße, 世界 🙂" }, []];
  for (const size of [1, 2, 3, 16, 17, 18, whole.length]) {
    const found: Json[] = [];
    const decode = niriDecoder();
    for (let at = 0; at < whole.length; at += size) {
      decode(whole.subarray(at, at + size), (message) => found.push(message));
    }
    assert.deepEqual(found, expected, `pieces of ${size}`);
  }
  const decode = niriDecoder();
  const piece = Buffer.alloc(MOST_BYTES / 4, " ");
  for (let n = 0; n < 4; n++) decode(piece, () => assert.fail("nothing is whole"));
  assert.throws(() => decode(Buffer.from(" "), () => {}), /longer than 33554432 bytes/);
  const other = niriDecoder();
  assert.throws(
    () => other(Buffer.concat([...Array(5).fill(piece), Buffer.from("\n")]), () => {}),
    /longer than/,
  );
});
