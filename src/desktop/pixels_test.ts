import assert from "node:assert/strict";
import { inPixels, onScreen } from "./pixels.ts";

Deno.test("a rectangle of the screen and the pixels that show it stand for each other at any scale", () => {
  const corner = { x: 100, y: -20 }, rect = { x: 103, y: -15, width: 7, height: 9 };
  for (const scale of [1, 1.5, 2, 3]) {
    const pixels = inPixels(rect, corner, scale);
    const back = onScreen(pixels, corner, scale);
    assert.ok(
      back.x <= rect.x && back.x + back.width >= rect.x + rect.width,
      `${scale}: ${JSON.stringify(back)}`,
    );
    assert.ok(
      back.y <= rect.y && back.y + back.height >= rect.y + rect.height,
      `${scale}: ${JSON.stringify(back)}`,
    );
  }
  assert.deepEqual(inPixels(rect, corner, 2), { x: 6, y: 10, width: 14, height: 18 });
  assert.deepEqual(inPixels(rect, corner), { x: 3, y: 5, width: 7, height: 9 });
});
