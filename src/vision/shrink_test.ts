import assert from "node:assert/strict";
import { shrink } from "./shrink.ts";

Deno.test("each pixel of a smaller picture is the mean of those that it stands for", () => {
  const rgba = new Uint8Array(4 * 4 * 2).fill(255);
  for (let x = 0; x < 4; x++) {
    for (let y = 0; y < 2; y++) rgba.fill(x < 2 ? 0 : 200, 4 * (4 * y + x), 4 * (4 * y + x) + 3);
  }
  const small = shrink({ width: 4, height: 2, rgba }, 2);
  assert.deepEqual([small.width, small.height, [...small.rgba]], [2, 1, [0, 0, 0, 255, 200, 200, 200, 255]]);
});

Deno.test("a picture that is small enough is left as it is", () => {
  const frame = { width: 2, height: 1, rgba: new Uint8Array(8) };
  assert.equal(shrink(frame, 2), frame);
});
