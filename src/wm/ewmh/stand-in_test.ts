import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../base/error.ts";
import { DisplayStandIn, reply } from "../../x11/_display.ts";
import { u16 } from "../../x11/bytes.ts";
import { Bell } from "../_server.ts";
import type { WindowManager } from "../model.ts";
import { connectEwmh } from "./connect.ts";

const { ROOT } = DisplayStandIn;
const CHECK = 0x200, FIRST = 0x300, SECOND = 0x301, FRAME = 0x400, GONE = 0x999;
const GET_PROPERTY = 20;
const SUPPORTED = ["_NET_ACTIVE_WINDOW", "_NET_CLOSE_WINDOW", "_NET_CURRENT_DESKTOP", "_NET_WM_DESKTOP"];

/** A window manager with two windows on two desktops, as properties of a display. */
function furnish(display: DisplayStandIn): void {
  display.open(CHECK);
  display.set(CHECK, "_NET_SUPPORTING_WM_CHECK", [CHECK]);
  display.set(ROOT, "_NET_SUPPORTING_WM_CHECK", [CHECK]);
  display.set(ROOT, "_NET_SUPPORTED", SUPPORTED.map((name) => display.atom(name)));
  display.set(ROOT, "_NET_NUMBER_OF_DESKTOPS", [2]);
  display.set(ROOT, "_NET_CURRENT_DESKTOP", [1]);
  display.open(FRAME, { x: 100, y: 50, width: 310, height: 230 });
  display.open(FIRST, { parent: FRAME, x: 5, y: 25, width: 300, height: 200 });
  display.set(FIRST, "_NET_WM_NAME", "one");
  display.set(FIRST, "_NET_WM_DESKTOP", [0]);
  display.open(SECOND, { x: 10, y: 20, width: 30, height: 40 });
  display.set(SECOND, "_NET_WM_DESKTOP", [1]);
  display.set(SECOND, "_NET_FRAME_EXTENTS", [1, 2, 3, 4]);
  display.set(ROOT, "_NET_CLIENT_LIST", [SECOND, FIRST]);
}

async function withEwmh(body: (wm: WindowManager, display: DisplayStandIn) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ewmh-stand-in-"));
  const display = new DisplayStandIn(join(folder, "X"));
  furnish(display);
  let wm: WindowManager | undefined;
  try {
    await display.server.start();
    wm = await connectEwmh(display.server.path, undefined);
    await body(wm, display);
  } finally {
    wm?.close();
    await display.server.stop();
    rmSync(folder, { recursive: true });
  }
}

const idsOf = async (wm: WindowManager) => (await wm.windows()).map(({ id }) => id);

Deno.test("a frame is what the window manager says, else the window that holds the window", async () => {
  await withEwmh(async (wm) => {
    const [first, second] = await wm.windows();
    assert.deepEqual(first?.content, { x: 105, y: 75, width: 300, height: 200 });
    assert.deepEqual(first.rect, { x: 100, y: 50, width: 310, height: 230 });
    assert.deepEqual(second?.content, { x: 10, y: 20, width: 30, height: 40 });
    assert.deepEqual(second.rect, { x: 9, y: 17, width: 33, height: 47 });
  });
});

Deno.test("a window that goes between the list and its reading is left out", async () => {
  await withEwmh(async (wm, display) => {
    display.set(ROOT, "_NET_CLIENT_LIST", [FIRST, GONE, SECOND, FIRST]);
    assert.deepEqual(await idsOf(wm), [FIRST, SECOND]);
    // It may go in the middle of its own reading, too.
    let asked = 0;
    display.instead = (opcode, request) => {
      if (opcode === GET_PROPERTY && request.getUint32(4, true) === FIRST && ++asked === 3) {
        display.end(FIRST);
      }
      return undefined;
    };
    assert.deepEqual(await idsOf(wm), [SECOND]);
    assert.equal((await wm.workspaces()).length, 2);
  });
});

Deno.test("titles, desktops and processes in their odd forms; panels are left out", async () => {
  await withEwmh(async (wm, display) => {
    display.set(SECOND, "WM_NAME", "old", "STRING");
    display.set(SECOND, "WM_CLASS", "instance\0Class\0", "STRING");
    display.set(SECOND, "_NET_WM_DESKTOP", [0xffffffff]);
    display.set(SECOND, "_NET_WM_PID", [77]);
    display.set(SECOND, "WM_CLIENT_MACHINE", `not-${hostname()}`, "STRING");
    display.set(FIRST, "_NET_WM_PID", [78]);
    display.set(FIRST, "WM_CLIENT_MACHINE", hostname(), "STRING");
    display.set(FIRST, "WM_NAME", "older", "STRING");
    display.set(FIRST, "_NET_WM_STATE", [display.atom("_NET_WM_STATE_DEMANDS_ATTENTION")]);
    const of = async () =>
      (await wm.windows()).map(({ title, app_id, pid, workspace_id, is_visible, is_urgent }) => [
        title,
        app_id,
        pid,
        workspace_id,
        is_visible,
        is_urgent,
      ]);
    // Another desktop is shown, and yet the first is mapped: nobody says whether a person sees it.
    assert.deepEqual(await of(), [["one", null, 78, 1, null, true], ["old", "Class", null, 2, true, false]]);
    display.set(SECOND, "WM_NAME", "\x1b%/1", "COMPOUND_TEXT");
    display.set(SECOND, "_NET_WM_STATE", [display.atom("_NET_WM_STATE_HIDDEN")]);
    display.set(FIRST, "_NET_WM_WINDOW_TYPE", [display.atom("_NET_WM_WINDOW_TYPE_DOCK")]);
    assert.deepEqual(await of(), [[null, "Class", null, 2, false, false]]);
  });
});

Deno.test("a display without extensions is one output, and has no keyboard layouts", async () => {
  await withEwmh(async (wm) => {
    assert.deepEqual([...wm.parts], []);
    const [output, ...others] = await wm.outputs();
    assert.deepEqual(others, []);
    assert.deepEqual([output?.name, output?.physical_size, output?.modes], [
      "screen",
      null,
      [{ width: 640, height: 480, refresh_rate: null, is_preferred: null }],
    ]);
    for (const one of [wm.keyboardLayouts(), wm.layers(), wm.overview()]) {
      await assert.rejects(one, { code: "unsupported" });
    }
  });
});

Deno.test("properties of a wrong kind are as none", async () => {
  await withEwmh(async (wm, display) => {
    for (const name of ["_NET_CURRENT_DESKTOP", "_NET_NUMBER_OF_DESKTOPS", "_NET_ACTIVE_WINDOW"]) {
      display.set(ROOT, name, "text");
    }
    display.set(ROOT, "_NET_DESKTOP_NAMES", [1, 2, 3]);
    display.set(FIRST, "_NET_WM_NAME", [1]);
    display.set(SECOND, "_NET_FRAME_EXTENTS", [1, 2]);
    assert.deepEqual((await wm.workspaces()).map(({ id, name, is_focused }) => [id, name, is_focused]), [[
      1,
      null,
      true,
    ]]);
    const [first, second] = await wm.windows();
    assert.deepEqual([first?.title, second?.rect], [null, second?.content]);
    display.set(ROOT, "_NET_NUMBER_OF_DESKTOPS", [0xffffffff]);
    assert.equal((await wm.workspaces()).length, 1_000);
    display.set(ROOT, "_NET_CLIENT_LIST", "text");
    assert.deepEqual(await wm.windows(), []);
  });
});

Deno.test("a property that outlives its window manager is none", async () => {
  await withEwmh(async (wm, display) => {
    display.end(CHECK);
    for (const one of [wm.windows(), wm.workspaces(), wm.command({ FocusWindow: { id: FIRST } })]) {
      await assert.rejects(one, { code: "no_desktop", message: /no window manager/ });
    }
    await assert.rejects(connectEwmh(display.server.path, undefined), { code: "no_desktop" });
    // The outputs are the display's.
    assert.equal((await wm.outputs()).length, 1);
    display.open(CHECK);
    assert.equal((await wm.windows()).length, 2);
  });
});

const MESSAGES: readonly (readonly [Json, number, string, readonly number[]])[] = [
  [{ FocusWindow: { id: FIRST } }, FIRST, "_NET_ACTIVE_WINDOW", [2, 0, 0, 0, 0]],
  [{ CloseWindow: { id: FIRST } }, FIRST, "_NET_CLOSE_WINDOW", [0, 2, 0, 0, 0]],
  [{ FocusWorkspace: { reference: { Id: 1 } } }, ROOT, "_NET_CURRENT_DESKTOP", [0, 0, 0, 0, 0]],
  [
    { MoveWindowToWorkspace: { window_id: SECOND, reference: { Id: 1 }, focus: false } },
    SECOND,
    "_NET_WM_DESKTOP",
    [0, 2, 0, 0, 0],
  ],
];
const REJECTED: readonly (readonly [Json, string])[] = [
  ["focus", "invalid"],
  [{}, "invalid"],
  [{ Focus: {} }, "invalid"],
  [{ FocusWindow: 5 }, "invalid"],
  [{ FocusWindow: { id: FIRST }, CloseWindow: { id: FIRST } }, "invalid"],
  [{ FocusWindow: { id: FIRST, now: true } }, "invalid"],
  [{ MoveWindowToWorkspace: { window_id: FIRST, reference: { Id: 1 }, focus: true } }, "invalid"],
  [{ FocusWindow: { id: 5 } }, "refused"],
  [{ FocusWindow: { id: "5" } }, "refused"],
  [{ FocusWindow: {} }, "refused"],
  [{ FocusWorkspace: { reference: { Id: 3 } } }, "refused"],
  [{ FocusWorkspace: { reference: 1 } }, "refused"],
  [{ PlaceWindow: { id: FIRST, x: 1 } }, "unsupported"],
];

Deno.test("commands are the messages of EWMH, and what cannot be is not sent", async () => {
  await withEwmh(async (wm, display) => {
    for (const [command, window, type, data] of MESSAGES) {
      await wm.command(command);
      assert.deepEqual(display.messages.pop(), { window, type, data });
    }
    for (const [command, code] of REJECTED) {
      await assert.rejects(wm.command(command), { code }, JSON.stringify(command));
    }
    display.set(ROOT, "_NET_SUPPORTED", [display.atom("_NET_MOVERESIZE_WINDOW")]);
    // The frame is 1 + 2 pixels wider than the content, and 3 + 4 higher; the content begins 1 to the right.
    await wm.command({ PlaceWindow: { id: SECOND, x: -5, width: 103, height: 2 } });
    const { data } = display.messages.pop() ?? {};
    assert.deepEqual(data, [10 | 0b1101 << 8 | 2 << 12, 0xfffffffc, 0, 100, 1]);
    for (const wrong of [{ x: 1.5 }, { y: "1" }, { width: 0 }, { height: 40_000 }]) {
      await assert.rejects(wm.command({ PlaceWindow: { id: SECOND, ...wrong } }), { code: "invalid" });
    }
    display.end(SECOND);
    await assert.rejects(wm.command({ PlaceWindow: { id: SECOND, x: 1 } }), { code: "refused" });
    display.set(ROOT, "_NET_SUPPORTED", SUPPORTED.map((name) => display.atom(name)));
    await assert.rejects(wm.command({ FocusWindow: { id: SECOND } }), { code: "refused" });
    assert.deepEqual(display.messages, []);
  });
});

Deno.test("a window that is opened is watched: its title, and its end", async () => {
  await withEwmh(async (wm, display) => {
    const bell = new Bell();
    wm.on(bell.ring);
    await bell.next(0);
    let seen = bell.count;
    display.open(0x500);
    display.set(ROOT, "_NET_CLIENT_LIST", [SECOND, FIRST, 0x500]);
    // One for the list, one once it is watched.
    seen = await bell.next(seen + 1);
    assert(display.isWatched(0x500));
    display.set(0x500, "_NET_WM_NAME", "new");
    seen = await bell.next(seen);
    // What nobody asks for rings nobody: the next event is the window's end.
    display.set(0x500, "_NET_WM_USER_TIME", [1]);
    display.end(0x500);
    seen = await bell.next(seen);
    await wm.windows();
    assert.equal(bell.count, seen);
  });
});

Deno.test("a display that restarts is reported, and read anew with its new atoms", async () => {
  await withEwmh(async (wm, display) => {
    const bell = new Bell();
    wm.on(bell.ring);
    await bell.next(0);
    const { path } = display.server;
    for (let turn = 0; turn < 2; turn++) {
      const standing = bell.count;
      await display.server.stop();
      await bell.next(standing);
      await assert.rejects(wm.windows(), { code: "no_desktop" });
      const next = new DisplayStandIn(path);
      for (let shift = 0; shift <= turn; shift++) next.atom(`other ${shift}`);
      furnish(next);
      const lost = bell.count;
      await next.server.start();
      try {
        await bell.next(lost);
        await bell.until(() => next.isWatched(FIRST));
        assert.deepEqual(await idsOf(wm), [FIRST, SECOND]);
        const seen = bell.count;
        next.set(FIRST, "_NET_WM_NAME", "anew");
        await bell.next(seen);
        assert.equal((await wm.windows())[0]?.title, "anew");
      } finally {
        await next.server.stop();
      }
      await display.server.start();
      await bell.until(() => wm.windows().then(() => true, () => false));
      await bell.until(() => display.isWatched(FIRST));
    }
  });
});

Deno.test("a broken reply ends the connection, and the next request makes a new one", async () => {
  await withEwmh(async (wm, display) => {
    const before = display.server.accepted;
    const broken = [
      (sequence: number) => Buffer.concat([Uint8Array.of(1, 32), u16(sequence), Buffer.alloc(28, 0xff)]),
      (sequence: number) => reply(sequence, [Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0])], 32),
      (sequence: number) => reply(sequence + 1, []),
    ];
    for (const [turn, bytes] of broken.entries()) {
      display.instead = (opcode, _, sequence) => opcode === GET_PROPERTY ? bytes(sequence) : undefined;
      await assert.rejects(wm.windows(), { code: "no_desktop" });
      display.instead = () => undefined;
      assert.equal((await wm.windows()).length, 2);
      assert.equal(display.server.accepted, before + turn + 1);
    }
  });
});

Deno.test("a display that does not answer costs the deadline of the call, or its signal", async () => {
  await withEwmh(async (wm, display) => {
    display.instead = (opcode) => opcode === GET_PROPERTY ? new Uint8Array(0) : undefined;
    await assert.rejects(wm.windows({ timeout: 50 }), { code: "timeout", details: { outcome: "unknown" } });
    const stop = new AbortController();
    const given = assert.rejects(wm.windows({ signal: stop.signal }), { code: "cancelled" });
    stop.abort();
    await given;
  });
});
