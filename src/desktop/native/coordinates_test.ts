import assert from "node:assert/strict";
import {
  AS_REPORTED,
  Coordinates,
  coordinatesOf,
  dropNowhere,
  fromScreen,
  layOut,
  mappingOf,
  mapRows,
  toScreen,
  windowAt,
} from "./coordinates.ts";
import type { NativeWindow } from "./replies.ts";
import type { AccessibleWindow } from "./window-match.ts";

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

function reported(over: Partial<AccessibleWindow> = {}): AccessibleWindow {
  return { title: "", x: 0, y: 0, width: 300, height: 200, ...over };
}

Deno.test("a declared frame that explains the difference gives the origin exactly", () => {
  const frame = { left: 26, right: 26, top: 23, bottom: 29 };
  const mapping = mappingOf(
    reported({ width: 248, height: 148 }),
    window(1, { frame }),
    1,
    Coordinates.window,
  );
  assert.deepEqual(mapping, { from: { x: 0, y: 0 }, to: { x: 126, y: 73 }, scale: 1 });
});

Deno.test("without one, what surrounds the window is taken as even", () => {
  const mapping = mappingOf(reported({ width: 280, height: 190 }), window(1), 1, Coordinates.window);
  assert.deepEqual(mapping.to, { x: 110, y: 55 });
});

Deno.test("what an unscaled application tells for the screen is left as it is", () => {
  assert.equal(mappingOf(reported({ x: 100, y: 50 }), window(1), 1, Coordinates.screen), AS_REPORTED);
});

const GTK3 = { toolkit: "gtk", toolkitVersion: "3.24.38", pid: 7 };
const GTK4 = { toolkit: "GTK", toolkitVersion: "4.8.3", pid: 7 };
const QT = { toolkit: "Qt", toolkitVersion: "6.4.2", pid: 7 };

Deno.test("a scale is told by the size of a window, and places are told from its origin", () => {
  // As measured: GTK 3 with GDK_SCALE=2.
  const rect = { x: 1500, y: 150, width: 2732, height: 1482 };
  const [mapping] =
    layOut(GTK3, [reported({ x: 750, y: 75, width: 1366, height: 741 })], [window(1, { rect })])
      .mappings;
  assert.deepEqual(mapping && toScreen(mapping, 1251, 79), { x: 2502, y: 158 });
  assert.deepEqual(mapping && fromScreen(mapping, 2503, 159), { x: 1251, y: 79 });
});

Deno.test("GTK 4's scaled window is found within its undeclared borders", () => {
  const rect = { x: 60, y: 40, width: 2684, height: 1600 };
  const { scale, mappings } = layOut(GTK4, [reported({ width: 1332, height: 790 })], [window(1, { rect })]);
  assert.equal(scale, 2);
  assert.deepEqual(mappings[0]?.to, { x: 70, y: 50 });
});

Deno.test("Qt's screens count from their own origin, and have a factor each", () => {
  const left = window(1, { title: "Left", rect: { x: 60, y: 40, width: 735, height: 549 } });
  const right = window(2, { title: "Right", rect: { x: 1500, y: 150, width: 735, height: 549 } });
  const accessible = [
    reported({ title: "Left", x: 60, y: 40, width: 735, height: 549 }),
    // On a screen at 1400, 0 with the factor 2.
    reported({ title: "Right", x: 1450, y: 75, width: 368, height: 275 }),
  ];
  const { mappings } = layOut(QT, accessible, [left, right]);
  assert.equal(mappings[0], AS_REPORTED);
  assert.deepEqual(mappings[1] && toScreen(mappings[1], 1479, 216), { x: 1558, y: 432 });
});

Deno.test("a frame that the accessible window counts in tells the scale too", () => {
  // Chromium declares a frame, and tells the whole window.
  const frame = { left: 8, right: 8, top: 0, bottom: 8 };
  const rect = { x: 60, y: 40, width: 1600, height: 1560 };
  const { scale, mappings } = layOut(
    { toolkit: "Chromium", toolkitVersion: "1.0", pid: 7 },
    [
      reported({ title: "Title", x: 30, y: 20, width: 800, height: 780 }),
      reported({ width: 630, height: 88 }),
    ],
    [window(1, { rect, frame })],
  );
  assert.equal(scale, 2);
  assert.deepEqual(mappings.map((m) => m && toScreen(m, 40, 30)), [{ x: 80, y: 60 }, { x: 80, y: 60 }]);
});

Deno.test("a dialog that has the main window's size times two does not make a scale", () => {
  const main = reported({ width: 400, height: 300 }), dialog = reported({ width: 800, height: 600 });
  const windows = [
    window(1, { rect: { x: 0, y: 0, width: 400, height: 300 } }),
    window(2, { rect: { x: 9, y: 9, width: 800, height: 600 } }),
  ];
  assert.equal(layOut(GTK3, [main, dialog], windows).scale, 1);
});

Deno.test("a window that no size explains is told as it was before", () => {
  const odd = window(1, { rect: { x: 0, y: 0, width: 777, height: 333 } });
  const { scale, mappings } = layOut(GTK4, [reported({ width: 300, height: 100 })], [odd], 2);
  assert.deepEqual([scale, mappings[0]?.scale], [undefined, 2]);
});

Deno.test("what a toolkit reports far off screen is unknown", () => {
  const rect = new Int32Array([-2147483648, -2147483648, 10, 10, 1, 2, 3, 4, 1, 2, -5, 4]);
  dropNowhere(rect);
  assert.deepEqual([...rect], [0, 0, -1, -1, 1, 2, 3, 4, 0, 0, -1, -1]);
});

Deno.test("rows are mapped where they are known, and unknown where their window is", () => {
  const rect = new Int32Array([1, 2, 3, 4, 0, 0, -1, -1, 5, 6, 7, 8]);
  mapRows(rect, 0, 2, { from: { x: 0, y: 1 }, to: { x: 100, y: 200 }, scale: 2 });
  mapRows(rect, 2, 3, undefined);
  assert.deepEqual([...rect], [102, 202, 6, 8, 0, 0, -1, -1, 0, 0, -1, -1]);
});

Deno.test("the pointer reaches the topmost window that is not minimised", () => {
  const windows = [window(1), window(2), window(3, { minimised: true })];
  assert.equal(windowAt(windows, 100, 50)?.id, 2);
  assert.equal(windowAt(windows, 400, 50), undefined);
});

Deno.test("a popover of GTK 4 is placed by the popup's window of its size, whatever is around its content", () => {
  const gtk4 = { toolkit: "GTK", toolkitVersion: "4.8.3", pid: 7 };
  const frame = window(1);
  const menu = window(2, { popup: true, rect: { x: 139, y: 62, width: 186, height: 138 } });
  const nested = window(3, { popup: true, rect: { x: 313, y: 98, width: 157, height: 112 } });
  const { windows, mappings } = layOut(
    gtk4,
    [
      reported({ title: "Title", popup: false }),
      reported({ x: 97, y: 4, width: 186, height: 138, popup: true }),
      // Two pixels of padding above and below are not told.
      reported({ x: 118, y: 42, width: 157, height: 108, popup: true }),
    ],
    [frame, menu, nested],
  );
  assert.deepEqual(windows.map((one) => one?.id), [1, 2, 3]);
  assert.deepEqual(mappings[1], { from: { x: 97, y: 4 }, to: { x: 139, y: 62 }, scale: 1 });
  assert.deepEqual(mappings[2], { from: { x: 118, y: 42 }, to: { x: 313, y: 100 }, scale: 1 });
});

Deno.test("a window does not take a popup's, nor a popover a window's, though the sizes say so", () => {
  const gtk4 = { toolkit: "GTK", toolkitVersion: "4.8.3", pid: 7 };
  const popup = window(2, { title: "", popup: true });
  assert.deepEqual(layOut(gtk4, [reported({ popup: false })], [popup]).windows, [undefined]);
  assert.deepEqual(layOut(gtk4, [reported({ popup: true })], [window(1)]).windows, [undefined]);
});

Deno.test("a window manager's title bar, which GTK 3 counts in, tells the scale, and places are told from the screen's corner", () => {
  // As GTK 3.24 under openbox at GDK_SCALE=2.
  const rect = { x: 446, y: 471, width: 708, height: 272 };
  const shown = window(1, { rect });
  const laid = layOut(GTK3, [reported({ title: "Title", x: 222, y: 225, width: 356, height: 149 })], [shown]);
  assert.equal(laid.scale, 2);
  const [mapping] = laid.mappings;
  assert.ok(mapping);
  assert.deepEqual(toScreen(mapping, 223, 235), { x: 446, y: 471 });
});

Deno.test("a window that no scale explains and that lies elsewhere has no place", () => {
  const far = reported({ title: "Title", x: 700, y: 600, width: 420, height: 90 });
  assert.deepEqual(layOut(GTK3, [far], [window(1)]).mappings, [undefined]);
  // An earlier look has told the scale: a window that is being resized stays where it is.
  assert.notDeepEqual(layOut(GTK3, [far], [window(1)], 1).mappings, [undefined]);
});
