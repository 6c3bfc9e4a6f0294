import assert from "node:assert/strict";
import type { Bytes } from "../../ffi/binding.ts";
import { Core } from "../../ffi/core.ts";
import { FakeBinding, u64 } from "../../ffi/_fake-binding.ts";
import { Op } from "../../ffi/op.ts";
import { Reply } from "../../ffi/reply.ts";
import { Request } from "../../ffi/request.ts";
import { Status } from "../../ffi/status.ts";
import type { Application } from "../element.ts";
import { type FakeRow, fakeSnapshot } from "./_reply.ts";
import { NativeDesktop } from "./native-desktop.ts";

const gtk3: Application = { bus: ":1.5", name: "a", pid: 7, toolkit: "gtk", toolkitVersion: "3.24" };
const gtk4: Application = { ...gtk3, toolkit: "GTK", toolkitVersion: "4.8.3" };

const rows: FakeRow[] = [
  { parent: -1, role: 75, name: "a", path: "/root" },
  { parent: 0, role: 23, name: "Main", path: "/w", rect: [0, 0, 200, 100] },
  { parent: 1, role: 43, name: "Save", path: "/w/b", rect: [10, 20, 30, 40] },
  { parent: 0, role: 16, name: "Ask", path: "/d", rect: [0, 0, 90, 60] },
  { parent: 3, role: 43, name: "No", path: "/d/b", rect: [1, 2, 3, 4] },
  { parent: 0, role: 23, name: "Hidden", path: "/h", rect: [0, 0, 11, 22] },
];

function windowsReply(): Bytes {
  const windows: [number, string, number, number, number, number][] = [
    [1, "Main", 100, 200, 220, 120],
    [2, "Ask", 300, 400, 90, 60],
  ];
  const reply = new Request().u32(windows.length);
  for (const [id, title, x, y, w, h] of windows) {
    reply.u32(id).u32(7).i32(x).i32(y).i32(w).i32(h).u32(0).i32(0).i32(0).i32(0).i32(0).str(title).str("");
  }
  return reply.bytes();
}

/** A desktop over a core that answers trees, readings of their rows, and windows. */
function setUp(tree: readonly FakeRow[] = rows) {
  const binding = new FakeBinding();
  const session = new Core(binding).session();
  const asked: number[] = [];
  const special = new Map<number, readonly [status: number, reply: Bytes]>();
  binding.onSubmit = (op, request) => {
    asked.push(op);
    const r = new Reply(request);
    const given = special.get(op);
    if (given) return given;
    if (op === Op.windows) return [Status.ok, windowsReply()];
    if (op !== Op.snapshot && op !== Op.read) return [Status.ok, new Uint8Array(0)];
    const path = (r.str(), r.str());
    if (path === "") return [Status.ok, fakeSnapshot(tree)];
    const row = tree.find((t) => t.path === path);
    return row ? [Status.ok, fakeSnapshot([{ ...row, parent: -1 }])] : [Status.noElement, new Uint8Array(0)];
  };
  const desk = new NativeDesktop(session, "isolated", "t", {
    accessibility: true,
    display: true,
    busName: ":1.9",
    width: 1280,
    height: 800,
  });
  return { binding, session, desk, asked, special };
}

Deno.test("screen rectangles of other toolkits are left as they are, once their windows told that nothing is scaled", async () => {
  const { desk, asked } = setUp();
  for (let look = 0; look < 3; look++) {
    const tree = await desk.snapshot(gtk3);
    assert.deepEqual(tree.rect(2), { x: 10, y: 20, width: 30, height: 40 });
    assert.deepEqual((await desk.read(tree.element(2))).rect, tree.rect(2));
  }
  assert.equal(asked.filter((op) => op === Op.windows).length, 1);
  await desk.close();
});

Deno.test("what is inside a web page is told in screen pixels, what is around it in logical ones", async () => {
  const chromium: Application = { ...gtk3, toolkit: "Chromium", toolkitVersion: "1.0" };
  const { desk } = setUp([
    { parent: -1, role: 75, name: "a", path: "/root" },
    // Its X window is at 300, 400 and of 90 by 60 pixels.
    { parent: 0, role: 23, name: "Ask", path: "/w", rect: [150, 200, 45, 30] },
    { parent: 1, role: 43, name: "Reload", path: "/w/b", rect: [155, 205, 4, 4] },
    { parent: 1, role: 95, name: "Page", path: "/w/p", rect: [302, 430, 80, 30] },
    { parent: 3, role: 43, name: "Send", path: "/w/p/b", rect: [310, 440, 8, 8] },
    { parent: 1, role: 43, name: "Close", path: "/w/c", rect: [160, 205, 4, 4] },
  ]);
  const tree = await desk.snapshot(chromium);
  const places = [2, 4, 5].map((row) => tree.rect(row));
  assert.deepEqual(places, [
    { x: 310, y: 410, width: 8, height: 8 },
    { x: 310, y: 440, width: 8, height: 8 },
    { x: 320, y: 410, width: 8, height: 8 },
  ]);
  for (const row of [2, 4, 5]) {
    assert.deepEqual((await desk.read(tree.element(row))).rect, tree.rect(row));
  }
  await desk.close();
});

Deno.test("GTK 4's rectangles are placed by the window they lie in; without one they are unknown", async () => {
  const { desk } = setUp();
  const tree = await desk.snapshot(gtk4);
  assert.deepEqual(tree.rect(2), { x: 120, y: 230, width: 30, height: 40 });
  assert.deepEqual(tree.rect(4), { x: 301, y: 402, width: 3, height: 4 });
  assert.equal(tree.rect(5), undefined);
  await desk.close();
});

Deno.test("a reading, and a tree from an element on, agree with the whole tree on places", async () => {
  const { desk } = setUp();
  const tree = await desk.snapshot(gtk4);
  const no = tree.element(4);
  assert.deepEqual((await desk.read(no)).rect, tree.rect(4));
  const part = await desk.snapshot(gtk4, { root: no });
  assert.deepEqual(part.rect(0), tree.rect(4));
  await desk.close();
});

Deno.test("who needs no place has no windows asked for, and is not served to who needs one", async () => {
  const { desk, asked } = setUp();
  const no = (await desk.snapshot(gtk4)).element(4);
  const count = (op: number) => asked.filter((one) => one === op).length;
  // What was asked for the tree is not known any more.
  await desk.pointer({ do: "move", x: 1, y: 1 });
  const windows = count(Op.windows);
  assert.equal(
    (await desk.read(no, { place: false })).rect,
    undefined,
    "the application's own pixels are no place",
  );
  await desk.read(no, { place: false, recent: true });
  assert.deepEqual([count(Op.windows), count(Op.read)], [windows, 1]);
  const placed = await desk.read(no, { recent: true });
  assert.deepEqual(placed.rect, { x: 301, y: 402, width: 3, height: 4 });
  assert.deepEqual([count(Op.windows), count(Op.read)], [windows + 1, 2]);
  assert.equal(await desk.read(no, { place: false, recent: true }), placed, "a place too much does no harm");
  await desk.close();
});

Deno.test("an element of an application that was never listed is placed too, by asking once", async () => {
  const { desk, special, asked } = setUp();
  const apps = new Request().u32(1).str(":1.5").str("/root").str("a").u32(7).str("GTK").str("4.8.3").bytes();
  special.set(Op.apps, [Status.ok, apps]);
  const element = { bus: ":1.5", path: "/d/b", generation: 1, fingerprint: { role: 43, name: "No", id: "" } };
  assert.deepEqual((await desk.read(element)).rect, { x: 301, y: 402, width: 3, height: 4 });
  await desk.read(element);
  assert.equal(asked.filter((op) => op === Op.apps).length, 1);
  await desk.close();
});

Deno.test("an action is sent only after the element was looked at, and not when it became another", async () => {
  const { desk, asked, special } = setUp();
  const save = (await desk.snapshot(gtk3)).element(2);
  const click = async () => {
    const before = asked.length;
    await desk.act(save, { do: "action", name: "click" });
    return asked.slice(before).filter((op) => op === Op.read || op === Op.ifSame || op === Op.action);
  };
  assert.deepEqual(await click(), [Op.ifSame]);
  // What is not exactly the same may be the same by the rule, which the core does not have.
  special.set(Op.ifSame, [Status.changed, new Uint8Array(0)]);
  assert.deepEqual(await click(), [Op.ifSame, Op.read, Op.action]);
  special.set(Op.read, [Status.ok, fakeSnapshot([{ parent: -1, role: 43, name: "Delete", path: "/w/b" }])]);
  const before = asked.length;
  await assert.rejects(click(), {
    code: "stale",
    message: 'Cannot perform "click" on "Save": another element answers at its address now',
  });
  assert.ok(!asked.slice(before).includes(Op.action));
  await desk.close();
});

Deno.test("a list of applications serves several acts, until one of them is gone", async () => {
  const { desk, special, asked } = setUp();
  const apps = new Request().u32(1).str(":1.5").str("/root").str("a").u32(7).str("gtk").str("3.24").bytes();
  special.set(Op.apps, [Status.ok, apps]);
  const lists = () => asked.filter((op) => op === Op.apps).length;
  const save = (await desk.snapshot(gtk3)).element(2);
  await desk.applications();
  assert.deepEqual(await desk.applications({ recent: true }), await desk.applications({ recent: true }));
  assert.equal(lists(), 1);
  await desk.applications();
  assert.equal(lists(), 2);
  await desk.act(save, { do: "action", name: "click" });
  await desk.applications({ recent: true });
  assert.equal(lists(), 2);
  special.set(Op.read, [Status.appGone, new Uint8Array(0)]);
  await assert.rejects(desk.read(save), { code: "app_gone" });
  await desk.applications({ recent: true });
  assert.equal(lists(), 3);
  await desk.close();
});

Deno.test("the windows that told where a click goes are those that were there before it, where none told anything since", async () => {
  const { desk, special, asked } = setUp();
  const apps = new Request().u32(1).str(":1.5").str("/root").str("a").u32(7).str("gtk").str("3.24").bytes();
  special.set(Op.apps, [Status.ok, apps]);
  const save = (await desk.snapshot(gtk3)).element(2);
  await desk.applications();
  const lists = () => asked.filter((op) => op === Op.windows).length;
  // The list may be too old by then on a busy machine: each try asks once before the act.
  for (let tries = 0;; tries++) {
    await desk.windows();
    const before = lists();
    await desk.act(save, { do: "action", name: "click" });
    if (lists() === before) break;
    assert.ok(tries < 20, "the list is never shared");
  }
  const before = lists();
  await desk.act(save, { do: "action", name: "click" });
  assert.equal(lists(), before + 1, "what was listed before an act says nothing of the next");
  await desk.close();
});

Deno.test("a look that timed out leaves no doubt about the action: it was not sent", async () => {
  const { desk, special } = setUp();
  const save = (await desk.snapshot(gtk3)).element(2);
  special.set(Op.ifSame, [Status.changed, new Uint8Array(0)]);
  special.set(Op.read, [Status.timeoutUnknown, new Uint8Array(0)]);
  await assert.rejects(desk.act(save, { do: "focus" }), (error) => {
    assert.ok(error instanceof Error && "code" in error && "details" in error);
    assert.equal(error.code, "timeout");
    assert.deepEqual(error.details, { status: Status.timeoutUnknown, outcome: "not_sent" });
    return true;
  });
  special.delete(Op.read);
  special.set(Op.focus, [Status.timeoutUnknown, new Uint8Array(0)]);
  await assert.rejects(desk.act(save, { do: "focus" }), {
    details: { status: Status.timeoutUnknown, outcome: "unknown" },
  });
  await desk.close();
});

Deno.test("what was not sent to an application that does not answer is not said to be what it does not answer", async () => {
  const { desk, special } = setUp();
  const apps = new Request().u32(1).str(":1.5").str("/root").str("a").u32(7).str("gtk").str("3.24").bytes();
  special.set(Op.apps, [Status.ok, apps]);
  const [application] = await desk.applications();
  assert.ok(application);
  const save = (await desk.snapshot(application)).element(2);
  for (const op of [Op.ifSame, Op.atPoint]) special.set(op, [Status.timeoutUnsent, new Uint8Array(0)]);
  await assert.rejects(desk.act(save, { do: "focus" }), { message: /before anything was sent/ });
  assert.equal(desk.stalledBy(":1.5"), undefined);
  special.set(Op.ifSame, [Status.timeoutUnknown, new Uint8Array(0)]);
  await assert.rejects(desk.act(save, { do: "focus" }), { code: "timeout" });
  assert.equal(desk.stalledBy(":1.5"), 'focus "Save"');
  await desk.close();
});

Deno.test("an element whose removal was announced is stale without asking anyone", async () => {
  const { binding, session, desk, asked } = setUp();
  const tree = await desk.snapshot(gtk3);
  const watch = desk.watch(gtk3);
  binding.event(session.handle, "/w", "object:children-changed:remove", "/w/b");
  binding.event(session.handle, "/d", "object:state-changed:defunct");
  assert.equal(await watch.next({ timeout: 1_000 }), "event");
  if (watch.take().length < 2) await watch.next({ timeout: 1_000 });
  const before = asked.length;
  await assert.rejects(desk.read(tree.element(2)), { code: "stale" });
  await assert.rejects(desk.act(tree.element(3), { do: "focus" }), { code: "stale" });
  await assert.rejects(desk.snapshot(gtk3, { root: tree.element(2) }), { code: "stale" });
  await assert.rejects(desk.read(tree.element(4)), { code: "stale" }, "it lies in what was removed");
  assert.equal(asked.length, before);
  await desk.read(tree.element(1));
  await desk.read((await desk.snapshot(gtk3)).element(2));
  await desk.close();
});

Deno.test("lost events make every reference stale and every watch lost", async () => {
  const { binding, session, desk } = setUp();
  const tree = await desk.snapshot(gtk3);
  const watch = desk.watch();
  binding.push(u64(u64(new Request().u32(3), session.handle), 5n));
  assert.equal(await watch.next({ timeout: 1_000 }), "lost");
  await assert.rejects(desk.read(tree.element(2)), { code: "stale" });
  await desk.close();
});

Deno.test("a broken connection takes away what needs it, and ends the watches", async () => {
  const { binding, session, desk } = setUp();
  const waiting = desk.watch().next({ timeout: 5_000 });
  binding.push(u64(new Request().u32(4), session.handle).u32(2));
  binding.push(u64(new Request().u32(4), session.handle).u32(1));
  await assert.rejects(waiting, { code: "no_desktop" });
  assert.deepEqual(desk.capabilities, {
    accessibility: false,
    input: false,
    pictures: false,
    clipboard: false,
    windows: false,
  });
  await assert.rejects(desk.watch().next({ timeout: 10 }), { code: "no_desktop" });
  await desk.close();
});

Deno.test("replies that break the header's rules reject as internal, whatever the operation", async () => {
  const { desk, special } = setUp();
  const tree = await desk.snapshot(gtk3);
  const hostile = [
    new Uint8Array(0),
    new Uint8Array(3),
    new Uint8Array(200).fill(255),
    new Uint8Array(7).fill(1),
  ];
  for (const reply of hostile) {
    for (const op of [Op.snapshot, Op.read, Op.apps, Op.windows, Op.capture]) {
      special.set(op, [Status.ok, reply]);
    }
    const calls = [
      desk.snapshot(gtk3),
      desk.read(tree.element(2)),
      desk.applications(),
      desk.windows(),
      desk.screenshot({ what: "screen" }),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      assert.ok(outcome.status === "rejected");
      assert.equal(outcome.reason.code, "internal", String(outcome.reason));
    }
  }
  await desk.close();
});

Deno.test("numbers that no pixel or value can be are refused before anything is sent", async () => {
  const { desk, asked } = setUp();
  const save = (await desk.snapshot(gtk3)).element(2);
  const before = asked.length;
  await assert.rejects(desk.act(save, { do: "setValue", value: NaN }), { code: "invalid" });
  await assert.rejects(desk.pointer({ do: "move", x: Infinity, y: 0 }), { code: "invalid" });
  await assert.rejects(desk.window(1, { do: "place", width: 0 }), { code: "invalid" });
  await assert.rejects(desk.pressKeys(["ctrl", "nokey"]), { code: "invalid" });
  assert.equal(asked.length, before);
  await desk.close();
});

/** What PLACES answers for so many elements: where they lie, that they are there, and one state each. */
function placesReply(states: readonly number[]): Bytes {
  const reply = new Request().u32(states.length);
  for (const low of states) reply.i32(1).i32(2).i32(3).i32(4).u32(low === 0 ? 0 : 1).u32(low).u32(0);
  return reply.bytes();
}

Deno.test("the states of several are asked at once, and serve for a moment until something is reported of one or sent", async () => {
  const { binding, session, desk, asked, special } = setUp();
  const tree = await desk.snapshot(gtk3);
  const both = [tree.element(2), tree.element(4)];
  special.set(Op.places, [Status.ok, placesReply([16, 0])]);
  assert.deepEqual(await desk.statesOf(both), [{ statesLow: 16, statesHigh: 0 }, undefined]);
  special.set(Op.places, [Status.ok, placesReply([16, 32])]);
  const reported = await desk.statesOf(both);
  const count = () => asked.filter((op) => op === Op.places).length;
  assert.deepEqual([await desk.statesOf(both, { recent: true }), count()], [reported, 2]);
  await desk.statesOf(both);
  assert.equal(count(), 3, "who does not ask for recent ones has them asked");
  binding.event(session.handle, "/d/b", "object:state-changed:checked");
  await new Promise((resolve) => setTimeout(resolve, 10));
  await desk.statesOf(both, { recent: true });
  assert.equal(count(), 4, "one of them changed");
  await desk.pointer({ do: "move", x: 1, y: 1 });
  await desk.statesOf(both, { recent: true });
  assert.equal(count(), 5, "something was sent");
  await desk.close();
});
