import assert from "node:assert/strict";
import { blackOut } from "./black-out.ts";

Deno.test("what is not to be seen is black in a picture of two pixels a point, and nothing else is", () => {
  const frame = { width: 40, height: 40, scale: 2, rgba: new Uint8Array(4 * 40 * 40).fill(255) };
  const window = {
    id: 1,
    pid: 1,
    title: "",
    windowClass: "",
    active: true,
    minimised: false,
    popup: true,
    rect: { x: 105, y: 105, width: 5, height: 5 },
  };
  const dark = blackOut(frame, { x: 100, y: 100 }, [window], () => true);
  const black = (x: number, y: number) => dark.rgba[4 * (y * 40 + x)] === 0;
  assert.deepEqual([black(10, 10), black(19, 19), black(9, 10), black(20, 19)], [true, true, false, false]);
});
