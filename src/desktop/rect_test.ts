import assert from "node:assert/strict";
import { inPixels } from "./rect.ts";

Deno.test("a place in points is what it touches of a picture with two pixels a point", () => {
  const place = { x: 110, y: 60, width: 200, height: 22 };
  assert.deepEqual(inPixels(place, { x: 10, y: 30 }), { x: 100, y: 30, width: 200, height: 22 });
  assert.deepEqual(inPixels(place, { x: 10, y: 30 }, 2), { x: 200, y: 60, width: 400, height: 44 });
  assert.deepEqual(inPixels({ ...place, x: 110.3 }, { x: 10, y: 30 }, 1.5), {
    x: 150,
    y: 45,
    width: 301,
    height: 33,
  });
});
