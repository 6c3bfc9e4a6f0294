import assert from "node:assert/strict";
import { Deadline } from "../base/call.ts";
import { instead } from "../desktop/_instead.ts";
import type { Area, Frame } from "../desktop/desktop.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { isPlain, letDraw } from "./drawn-window.ts";

const plain: Frame = { width: 2, height: 1, rgba: Uint8Array.of(9, 9, 9, 255, 9, 9, 9, 255) };
const drawn: Frame = { width: 2, height: 1, rgba: Uint8Array.of(9, 9, 9, 255, 9, 9, 8, 255) };

/** A desktop whose windows show nothing but one colour for so many looks; and which areas were looked at. */
function late(looks: number) {
  const seen: Area[] = [];
  const desktop = instead(simulate({ applications: ["sim.calculator"] }), {
    screenshot: (area) => {
      seen.push(area);
      return Promise.resolve(seen.length > looks ? drawn : plain);
    },
  });
  return { desktop, seen };
}

Deno.test("a picture is plain where no pixel differs", () => {
  assert.equal(isPlain(plain), true);
  assert.equal(isPlain(drawn), false);
  assert.equal(isPlain({ width: 0, height: 0, rgba: new Uint8Array() }), true);
});

Deno.test("a window that has drawn is looked at once", async () => {
  const { desktop, seen } = late(0);
  assert.equal(await letDraw(desktop, { what: "window", window: 1 }, Deadline.after(5_000)), false);
  assert.deepEqual(seen, [{ what: "window", window: 1 }]);
});

Deno.test("of a part the window that shows it counts", async () => {
  const { desktop, seen } = late(2);
  const [window] = await desktop.windows();
  assert.ok(window);
  const { x, y } = window.rect;
  const part: Area = { what: "rect", rect: { x: x + 1, y: y + 1, width: 2, height: 2 } };
  assert.equal(await letDraw(desktop, part, Deadline.after(5_000)), true);
  assert.deepEqual(seen, Array(3).fill({ what: "rect", rect: window.rect }));
});

Deno.test("one that draws nothing is waited for for a while, and the screen not at all", async () => {
  const { desktop, seen } = late(Infinity);
  assert.equal(await letDraw(desktop, { what: "screen" }, Deadline.after(5_000)), false);
  assert.deepEqual(seen, []);
  assert.equal(await letDraw(desktop, { what: "window", window: 1 }, Deadline.after(100)), false);
  assert.ok(seen.length > 1);
});
