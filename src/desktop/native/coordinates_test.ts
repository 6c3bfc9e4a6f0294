import assert from "node:assert/strict";
import { coordinatesOf, dropNowhere, matchWindows, offsetOf, shiftRows, windowAt } from "./coordinates.ts";
import type { NativeWindow } from "./replies.ts";

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

Deno.test("only GTK 4 and later count from their window", () => {
  const of = (toolkit: string, toolkitVersion: string) => coordinatesOf({ toolkit, toolkitVersion });
  assert.equal(of("GTK", "4.8.3"), 1);
  assert.equal(of("gtk", "4.18.0"), 1);
  assert.equal(of("gtk", "3.24.38"), 0);
  assert.equal(of("GAIL", "2.24.33"), 0);
  assert.equal(of("Qt", "6.4.2"), 0);
  assert.equal(of("Chromium", "156.0"), 0);
  assert.equal(of("", ""), 0);
});

Deno.test("a declared frame that explains the difference gives the offset exactly", () => {
  const frame = { left: 26, right: 26, top: 23, bottom: 29 };
  assert.deepEqual(offsetOf({ title: "", width: 248, height: 148 }, window(1, { frame })), { x: 126, y: 73 });
});

Deno.test("without one, what surrounds the window is taken as even", () => {
  assert.deepEqual(offsetOf({ title: "", width: 280, height: 190 }, window(1)), { x: 110, y: 55 });
});

Deno.test("windows are matched by title, then by size, then because one is left", () => {
  const main = window(1, { title: "Main" });
  const dialog = window(2, { title: "Save", rect: { x: 0, y: 0, width: 120, height: 90 } });
  const popup = window(3, { title: "", rect: { x: 9, y: 9, width: 33, height: 44 }, popup: true });
  const accessible = [
    { title: "", width: 120, height: 90 },
    { title: "Main", width: 300, height: 200 },
    { title: "", width: 1, height: 1 },
  ];
  assert.deepEqual(matchWindows(accessible, [main, dialog, popup], 7).map((w) => w?.id), [2, 1, 3]);
});

Deno.test("of two windows with one title the better size wins, and none is given twice", () => {
  const wide = window(1, { rect: { x: 0, y: 0, width: 500, height: 200 } });
  const narrow = window(2);
  const accessible = [{ title: "Title", width: 300, height: 200 }, {
    title: "Title",
    width: 500,
    height: 200,
  }];
  assert.deepEqual(matchWindows(accessible, [wide, narrow], 7).map((w) => w?.id), [2, 1]);
});

Deno.test("a window of another process never matches", () => {
  assert.deepEqual(matchWindows([{ title: "Title", width: 300, height: 200 }], [window(1)], 8), [undefined]);
});

Deno.test("two windows that nothing tells apart stay unmatched", () => {
  const accessible = [{ title: "a", width: 1, height: 1 }, { title: "b", width: 2, height: 2 }];
  assert.deepEqual(matchWindows(accessible, [window(1), window(2)], 7), [undefined, undefined]);
});

Deno.test("what a toolkit reports far off screen is unknown", () => {
  const rect = new Int32Array([-2147483648, -2147483648, 10, 10, 1, 2, 3, 4, 1, 2, -5, 4]);
  dropNowhere(rect);
  assert.deepEqual([...rect], [0, 0, -1, -1, 1, 2, 3, 4, 0, 0, -1, -1]);
});

Deno.test("rows are shifted where they are known, and unknown where their window is", () => {
  const rect = new Int32Array([1, 2, 3, 4, 0, 0, -1, -1, 5, 6, 7, 8]);
  shiftRows(rect, 0, 2, { x: 100, y: 200 });
  shiftRows(rect, 2, 3, undefined);
  assert.deepEqual([...rect], [101, 202, 3, 4, 0, 0, -1, -1, 0, 0, -1, -1]);
});

Deno.test("the pointer reaches the topmost window that is not minimised", () => {
  const windows = [window(1), window(2), window(3, { minimised: true })];
  assert.equal(windowAt(windows, 100, 50)?.id, 2);
  assert.equal(windowAt(windows, 400, 50), undefined);
});
