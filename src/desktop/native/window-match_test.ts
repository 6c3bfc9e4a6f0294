import assert from "node:assert/strict";
import type { NativeWindow } from "./replies.ts";
import { matchWindows } from "./window-match.ts";

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

function told(title: string, width: number, height: number) {
  return { title, x: 0, y: 0, width, height };
}

Deno.test("windows are matched by title, then by size, then because one is left", () => {
  const main = window(1, { title: "Main" });
  const dialog = window(2, { title: "Save", rect: { x: 0, y: 0, width: 120, height: 90 } });
  const popup = window(3, { title: "", rect: { x: 9, y: 9, width: 33, height: 44 }, popup: true });
  const accessible = [
    told("", 120, 90),
    told("Main", 300, 200),
    told("", 1, 1),
  ];
  assert.deepEqual(matchWindows(accessible, [main, dialog, popup], 7).map((w) => w?.id), [2, 1, 3]);
});

Deno.test("of two windows with one title the better size wins, and none is given twice", () => {
  const wide = window(1, { rect: { x: 0, y: 0, width: 500, height: 200 } });
  const narrow = window(2);
  const accessible = [told("Title", 300, 200), told("Title", 500, 200)];
  assert.deepEqual(matchWindows(accessible, [wide, narrow], 7).map((w) => w?.id), [2, 1]);
});

Deno.test("a window of another process never matches", () => {
  assert.deepEqual(matchWindows([told("Title", 300, 200)], [window(1)], 8), [undefined]);
});

Deno.test("two windows that nothing tells apart stay unmatched", () => {
  const accessible = [told("a", 1, 1), told("b", 2, 2)];
  assert.deepEqual(matchWindows(accessible, [window(1), window(2)], 7), [undefined, undefined]);
});
