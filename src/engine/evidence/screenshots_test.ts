import assert from "node:assert/strict";
import { PixelMemory } from "./pixel-memory.ts";
import { Screenshots } from "./screenshots.ts";

/** Another size than other tests use: what they give back is not taken here. */
const [WIDTH, HEIGHT] = [7, 5];

Deno.test("memory of sizes that no picture has any more makes room", () => {
  const memory = new PixelMemory();
  for (const length of [11, 12, 13, 14, 15]) memory.unused(memory.take(length));
  const last = memory.take(15);
  memory.unused(last);
  assert.equal(memory.take(15).buffer, last.buffer);
});

Deno.test("memory of a picture is used again once it is packed and compared with, and no sooner", async () => {
  const memory = new PixelMemory();
  const packed: (() => void)[] = [];
  const pictures = new Screenshots((number, _frame, done) => {
    packed[number] = done;
    return Promise.resolve();
  }, memory);
  const frame = (value: number) => {
    const rgba = memory.take(4 * WIDTH * HEIGHT).fill(value);
    return { width: WIDTH, height: HEIGHT, rgba };
  };
  const [first, second] = [frame(1), frame(2)];
  assert.notEqual(first.rgba.buffer, second.rgba.buffer);
  assert.equal(await pictures.add(first), 0);
  packed[0]?.();
  // The next one is compared with it.
  const third = frame(2);
  assert.notEqual(third.rgba.buffer, first.rgba.buffer);
  assert.equal(await pictures.add(second), 1);
  const fourth = frame(3);
  assert.equal(fourth.rgba.buffer, first.rgba.buffer);
  // The same picture is kept once, and its memory is free at once.
  assert.equal(await pictures.add(third), 1);
  assert.equal(frame(4).rgba.buffer, third.rgba.buffer);
  // What is not packed yet stays as it is.
  assert.equal(await pictures.add(fourth), 2);
  assert.notEqual(frame(5).rgba.buffer, second.rgba.buffer);
  assert.ok(second.rgba.every((value) => value === 2));
  packed[1]?.();
  assert.equal(frame(6).rgba.buffer, second.rgba.buffer);
});
