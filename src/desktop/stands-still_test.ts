import assert from "node:assert/strict";
import { Deadline } from "../base/call.ts";
import { defined } from "../base/defined.ts";
import { BackstepError } from "../base/error.ts";
import { buildSnapshot, type NodeDescription } from "./build.ts";
import type { Window } from "./desktop.ts";
import type { Rect } from "./element.ts";
import { FakeDesktop } from "./locator/_desktop.ts";
import { editor } from "./selector/_fixture.ts";
import { standsStill } from "./stands-still.ts";

const at = (x: number): NodeDescription => ({
  role: "application",
  path: "/0",
  children: [{ role: "pushButton", name: "Save", path: "/1", rect: { x, y: 0, width: 20, height: 20 } }],
});

const hit = (path: string) => ({ bus: editor.bus, path });

/** A desktop that sees what is drawn, and says so as the test has it. */
class Drawing extends FakeDesktop {
  quiet: number[] = [];
  asked = 0;
  undrawn(_rect: Rect): Promise<number> {
    return Promise.resolve(this.quiet[this.asked++] ?? 0);
  }
}

function stands(
  desktop: FakeDesktop,
  found: number,
  milliseconds = 1_000,
  more: { readonly readAt?: number; readonly own?: Window } = {},
) {
  const snapshot = buildSnapshot(at(found), editor);
  const pointed = { application: editor, snapshot, row: 1, point: { x: found + 10, y: 10 }, ...more };
  return standsStill(desktop, pointed, Deadline.after(milliseconds));
}

Deno.test("where nothing was drawn, its place is read once more, and nothing is waited for", async () => {
  const desktop = new Drawing(editor, at(0));
  desktop.quiet = [500];
  assert.equal(await stands(desktop, 0), true);
  assert.deepEqual([desktop.asked, desktop.reads.elements], [1, 1]);
});

Deno.test("where nothing was drawn for too short a time, it is looked at again", async () => {
  const desktop = new Drawing(editor, at(0));
  desktop.quiet = [30, 34];
  assert.equal(await stands(desktop, 0), true);
  // One of the readings was made while it was waited, in case that something was drawn.
  assert.deepEqual([desktop.asked, desktop.reads.elements], [2, 2]);
});

Deno.test("where something is drawn again and again, two readings have to be the same", async () => {
  const desktop = new Drawing(editor, at(0));
  desktop.quiet = [30, 1];
  const began = performance.now();
  assert.equal(await stands(desktop, 0), true);
  assert.deepEqual([desktop.asked, desktop.reads.elements], [2, 2]);
  assert.ok(performance.now() - began >= 45, "the two were made a moment apart");
});

Deno.test("that nothing was drawn is not believed of an element that lies elsewhere", async () => {
  const desktop = new Drawing(editor, at(5));
  desktop.quiet = [500];
  assert.equal(await stands(desktop, 0), false);
});

Deno.test("without seeing what is drawn, two readings have to be the same", async () => {
  const desktop = new FakeDesktop(editor, at(0));
  assert.equal(await stands(desktop, 0), true);
  assert.equal(desktop.reads.elements, 2);
});

Deno.test("the reading that found it is the first of two", async () => {
  const desktop = new FakeDesktop(editor, at(0));
  const readAt = performance.now();
  // What is kept of the point was told a little later.
  desktop.said = { hit: hit("/1"), at: readAt + 10 };
  desktop.at = hit("/1");
  assert.equal(await stands(desktop, 0, 1_000, { readAt }), true);
  assert.equal(desktop.reads.elements, 1);
  assert.ok(performance.now() - readAt >= 60, "the second was made that moment after what was told last");
});

Deno.test("what moved since it was found is found again", async () => {
  const desktop = new FakeDesktop(editor, at(5));
  assert.equal(await stands(desktop, 0, 1_000, { readAt: performance.now() }), false);
});

const standing = (id: number, pid: number, more: Partial<Window> = {}): Window => ({
  id,
  pid,
  title: "",
  windowClass: "",
  rect: { x: 0, y: 0, width: 100, height: 100 },
  active: false,
  minimised: false,
  popup: false,
  ...more,
});

for (const found of [undefined, performance.now()]) {
  Deno.test(`what another window came in front of is found again: ${found === undefined ? "read" : "kept"} first`, async () => {
    const desktop = new FakeDesktop(editor, at(0));
    desktop.stack = [standing(1, editor.pid)];
    assert.equal(await stands(desktop, 0, 1_000, defined({ readAt: found })), true);
    desktop.stack.push(standing(2, editor.pid + 1));
    assert.equal(await stands(desktop, 0, 1_000, defined({ readAt: found })), false);
  });
}

Deno.test("what another window of its own application came in front of is found again; a popup is no such window", async () => {
  const desktop = new FakeDesktop(editor, at(0));
  desktop.stack = [standing(1, editor.pid), standing(2, editor.pid, { popup: true })];
  assert.equal(await stands(desktop, 0, 1_000, { own: standing(1, editor.pid) }), true);
  desktop.stack = [standing(1, editor.pid), standing(2, editor.pid)];
  assert.equal(await stands(desktop, 0, 1_000, { own: standing(1, editor.pid) }), false);
});

/** The window of what is pointed at. */
const window = buildSnapshot(at(0), editor).element(0);
const under = (cover: string): NodeDescription => {
  const rect = { x: 0, y: 0, width: 90, height: 90 };
  const sheet: NodeDescription = { role: "panel", name: "Sheet", path: cover, rect };
  return { ...at(0), children: [...at(0).children ?? [], sheet] };
};

for (const cover of ["known before", "new"]) {
  Deno.test(`what is covered since it was found is waited for: the cover is ${cover}`, async () => {
    const path = cover === "new" ? "/3" : "/2";
    const desktop = new Drawing(editor, under(path));
    desktop.quiet = [500];
    desktop.said = { hit: hit("/1"), at: performance.now() };
    desktop.at = hit(path);
    desktop.beforeRead = () => {
      if (desktop.reads.elements === 4) desktop.at = hit("/1");
    };
    const snapshot = buildSnapshot(under("/2"), editor);
    const pointed = { application: editor, snapshot, row: 1, point: { x: 10, y: 10 }, window };
    assert.equal(await standsStill(desktop, pointed, Deadline.after(2_000)), true);
    assert.ok(desktop.reads.elements >= 5, `${desktop.reads.elements} readings`);
  });
}

Deno.test("what stays covered is an error that says by what", async () => {
  const desktop = new Drawing(editor, under("/2"));
  desktop.quiet = [500];
  // Others may have asked since it was found.
  desktop.said = { hit: hit("/2"), at: performance.now() };
  desktop.at = hit("/2");
  const snapshot = buildSnapshot(under("/2"), editor);
  const pointed = { application: editor, snapshot, row: 1, point: { x: 10, y: 10 }, window };
  await assert.rejects(standsStill(desktop, pointed, Deadline.after(300)), {
    code: "not_actionable",
    message: 'Cannot point at it: button "Save" is covered by panel "Sheet" at (10, 10)',
  });
});

Deno.test("what moves and then stops is waited for, and to be found again", async () => {
  const desktop = new FakeDesktop(editor, at(0));
  desktop.beforeRead = () => desktop.become(at(Math.min(4, desktop.reads.elements)));
  assert.equal(await stands(desktop, 0), false);
  assert.ok(desktop.reads.elements >= 5, `${desktop.reads.elements} readings`);
});

Deno.test("what moves all the time is an error that says from where to where", async () => {
  const desktop = new FakeDesktop(editor, at(0));
  desktop.beforeRead = () => desktop.become(at(desktop.reads.elements));
  const error = await stands(desktop, 0, 250).then(() => undefined, (thrown: unknown) => thrown);
  assert.ok(error instanceof BackstepError);
  assert.equal(error.code, "not_actionable");
  assert.match(error.message, /is moving, from \(\d+, 0, 20x20\) to \(\d+, 0, 20x20\)/);
});

Deno.test("of a page that tells its places late they are believed once nothing was drawn for as long", async () => {
  const page = { ...editor, toolkit: "Chromium" };
  const desktop = new Drawing(page, at(0));
  desktop.quiet = [200, 600];
  const snapshot = buildSnapshot(at(0), page);
  const pointed = { application: page, snapshot, row: 1, point: { x: 10, y: 10 }, window };
  const began = performance.now();
  assert.equal(await standsStill(desktop, pointed, Deadline.after(3_000)), true);
  assert.equal(desktop.asked, 2);
  assert.ok(performance.now() - began >= 300, "it was waited until no telling can be older");
});

/** One whose application reports places late, unless it is made to. */
class Late extends Drawing {
  flushes = 0;
  flushOf() {
    return () => Promise.resolve(void this.flushes++);
  }
}

Deno.test("what reports late is made to, and its place is taken where nothing was drawn since", async () => {
  const desktop = new Late(editor, at(0));
  desktop.quiet = [1, 5_000];
  assert.equal(await stands(desktop, 0), true);
  assert.deepEqual([desktop.flushes, desktop.reads.elements], [1, 1]);
});

Deno.test("where something was drawn since it was made to report, it is made to once more", async () => {
  const desktop = new Late(editor, at(0));
  desktop.quiet = [1, 1];
  assert.equal(await stands(desktop, 0), true);
  assert.deepEqual([desktop.flushes, desktop.reads.elements], [2, 2]);
});
