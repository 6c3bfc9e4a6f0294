import assert from "node:assert/strict";
import type { NativeWindow } from "./replies.ts";
import { matchWindows, scaleOf } from "./window-match.ts";

function window(id: number, over: Partial<NativeWindow> = {}): NativeWindow {
  return {
    id,
    pid: 7,
    rect: { x: 100, y: 50, width: 300, height: 200 },
    title: "Title",
    windowClass: "",
    active: false,
    minimised: false,
    popup: false,
    frame: { left: 0, right: 0, top: 0, bottom: 0 },
    ...over,
  };
}

function reported(title: string, width: number, height: number) {
  return { title, x: 0, y: 0, width, height };
}

Deno.test("windows are matched by title, then by size, then because one is left", () => {
  const main = window(1, { title: "Main" });
  const dialog = window(2, { title: "Save", rect: { x: 0, y: 0, width: 120, height: 90 } });
  const popup = window(3, { title: "", rect: { x: 9, y: 9, width: 33, height: 44 }, popup: true });
  const accessible = [
    reported("", 120, 90),
    reported("Main", 300, 200),
    reported("", 1, 1),
  ];
  assert.deepEqual(matchWindows(accessible, [main, dialog, popup], 7).map((w) => w?.id), [2, 1, 3]);
});

Deno.test("of two windows with one title the better size wins, and none is given twice", () => {
  const wide = window(1, { rect: { x: 0, y: 0, width: 500, height: 200 } });
  const narrow = window(2);
  const accessible = [reported("Title", 300, 200), reported("Title", 500, 200)];
  assert.deepEqual(matchWindows(accessible, [wide, narrow], 7).map((w) => w?.id), [2, 1]);
});

Deno.test("a window of another process never matches", () => {
  assert.deepEqual(matchWindows([reported("Title", 300, 200)], [window(1)], 8), [undefined]);
});

Deno.test("two windows that nothing distinguishes stay unmatched", () => {
  const accessible = [reported("a", 1, 1), reported("b", 2, 2)];
  assert.deepEqual(matchWindows(accessible, [window(1), window(2)], 7), [undefined, undefined]);
});

Deno.test("a dialog tells no scale by the window of its parent, with or without its own", () => {
  const main = window(1, { title: "Notes", rect: { x: 400, y: 247, width: 480, height: 320 } });
  const own = window(2, { title: "New Note", rect: { x: 551, y: 380, width: 180, height: 94 } });
  const parent = { ...reported("Notes", 482, 345), x: 399, y: 227, framed: true };
  const dialog = { ...reported("New Note", 182, 119), x: 550, y: 360, framed: true };
  assert.equal(scaleOf([parent, dialog], [main], 7), undefined);
  assert.equal(scaleOf([dialog], [main, own], 7), undefined);
});

Deno.test("where a toolkit scales by any number, a window of the same title tells it by both of its sides", () => {
  const main = window(1, { rect: { x: 0, y: 0, width: 917, height: 688 } });
  const any = (width: number, height: number) => ({ ...reported("Title", width, height), anyScale: true });
  assert.equal(scaleOf([any(800, 600)], [main], 7)?.toFixed(3), "1.146");
  // A toolkit that may draw around its windows does not say so, nor do sides that disagree.
  assert.equal(scaleOf([reported("Title", 800, 600)], [main], 7), undefined);
  assert.equal(scaleOf([any(800, 650)], [main], 7), undefined);
  assert.equal(scaleOf([{ ...any(800, 600), title: "Other" }], [main], 7), undefined);
  // What is usual is not measured.
  assert.equal(scaleOf([any(917, 688)], [main], 7), 1);
});
