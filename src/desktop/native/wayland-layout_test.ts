import assert from "node:assert/strict";
import { inPage, isLocal, localMapping } from "./wayland-layout.ts";
import { toScreen } from "./coordinates.ts";
import { windowsOf } from "./managed-windows.ts";
import type { WmWindow } from "../../wm/model.ts";

const surface = (width: number, height: number) => ({ title: "w", x: 0, y: 0, width, height });
const window = (x: number, y: number, width: number, height: number) => ({ rect: { x, y, width, height } });
const nothing = () => undefined;

Deno.test("a surface as large as its window begins where that does", () => {
  const mapping = localMapping(surface(300, 200), window(50, 60, 300, 200), nothing);
  assert.ok(mapping);
  assert.deepEqual(toScreen(mapping, 10, 20), { x: 60, y: 80 });
});

Deno.test("a surface with a shadow begins before its window, by as much as what is inside says", () => {
  // GTK 3 on sway, seen: 466 by 351 told, 414 by 299 on the screen, 26 and 23 apart.
  const mapping = localMapping(surface(466, 351), window(100, 100, 414, 299), () => ({ x: 26, y: 23 }));
  assert.ok(mapping);
  assert.deepEqual(toScreen(mapping, 26, 23), { x: 100, y: 100 });
  assert.equal(localMapping(surface(466, 351), window(100, 100, 414, 299), nothing), undefined);
});

Deno.test("decorations that the toolkit draws around its content are even on the sides, the rest is above", () => {
  const mapping = localMapping(surface(300, 200), window(0, 0, 306, 233), nothing);
  assert.ok(mapping);
  assert.deepEqual(toScreen(mapping, 0, 0), { x: 3, y: 30 });
});

Deno.test("a page is told in the output's pixels, its window in the layout's", () => {
  const mapping = localMapping(surface(1050, 780), window(115, 10, 1050, 780), nothing);
  assert.ok(mapping);
  assert.deepEqual(toScreen(inPage(mapping, 2), 16, 302), { x: 123, y: 161 });
});

const one: WmWindow = {
  id: 1,
  title: "one",
  app_id: "org.example.One",
  pid: 7,
  workspace_id: 1,
  is_focused: false,
  is_floating: true,
  is_urgent: false,
  rect: { x: 0, y: 0, width: 10, height: 10 },
  content: { x: 1, y: 2, width: 8, height: 7 },
  is_visible: true,
  stacking: 0,
  is_x11: false,
};

Deno.test("windows come bottom to top, the active one last, hidden ones as minimised, those without a place not at all", () => {
  const windows = windowsOf([
    { ...one, id: 3, is_focused: true },
    { ...one, id: 2, stacking: 5, is_visible: false, is_x11: true },
    { ...one, id: 4, stacking: 1 },
    { ...one, id: 5, rect: null, content: null },
  ]);
  assert.deepEqual(windows.map(({ id, minimised, local }) => [id, minimised, local]), [
    [4, false, true],
    [2, true, undefined],
    [3, false, true],
  ]);
  assert.deepEqual(windows[0]?.rect, { x: 1, y: 2, width: 8, height: 7 });
});

Deno.test("only who speaks X11 knows where it is", () => {
  const windows = windowsOf([one, { ...one, id: 2, pid: 8, is_x11: true }]);
  assert.deepEqual([7, 8, 9].map((pid) => isLocal({ pid }, windows, true)), [true, false, true]);
  assert.equal(isLocal({ pid: 7 }, windows, false), false);
});
