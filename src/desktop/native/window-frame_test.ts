import assert from "node:assert/strict";
import type { NativeWindow } from "./replies.ts";
import { asWhole, shownPart } from "./window-frame.ts";

const screen = { width: 100, height: 80 };
const window = (id: number, x: number, y: number, width: number, height: number): NativeWindow => ({
  id,
  pid: id,
  rect: { x, y, width, height },
  title: `window ${id}`,
  windowClass: "",
  active: false,
  minimised: false,
  popup: false,
  tooltip: false,
  frame: { left: 0, right: 0, top: 0, bottom: 0 },
});

Deno.test("a window is pictured where it shows, and only while nothing lies over it", () => {
  const below = window(1, 10, 10, 40, 40),
    above = window(2, 60, 10, 30, 30),
    over = window(3, 45, 45, 30, 30);
  const rect = { x: 10, y: 10, width: 40, height: 40 };
  assert.deepEqual(shownPart(1, [below, above], screen), { window: rect, part: rect });
  assert.throws(() => shownPart(1, [below, over], screen), {
    code: "unsupported",
    message: /window 3" lies over/,
  });
  assert.deepEqual(shownPart(3, [below, over], screen).part, { x: 45, y: 45, width: 30, height: 30 });
  assert.deepEqual(shownPart(1, [below, { ...over, minimised: true }], screen).part, rect);
  assert.throws(() => shownPart(1, [{ ...below, minimised: true }], screen), {
    message: /not on the screen/,
  });
  assert.throws(() => shownPart(9, [below], screen), { code: "stale" });
});

Deno.test("what of a window is outside of the screen is black in its picture", () => {
  const { window: whole, part } = shownPart(1, [window(1, 98, 79, 4, 2)], screen);
  assert.deepEqual(part, { x: 98, y: 79, width: 2, height: 1 });
  const frame = {
    width: 2,
    height: 1,
    rgba: new Uint8Array(8).fill(9),
    route: "socket",
    covered: false,
  } as const;
  const { width, height, rgba } = asWhole(frame, part, whole);
  assert.deepEqual([width, height], [4, 2]);
  assert.deepEqual([...rgba.subarray(0, 12)], [9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 0, 255]);
  assert.deepEqual([...rgba.subarray(28)], [0, 0, 0, 255]);
});
