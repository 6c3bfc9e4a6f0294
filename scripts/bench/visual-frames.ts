import type { Frame } from "../../src/desktop/desktop.ts";

/** A screen of 4K. */
export const WIDTH = 3840, HEIGHT = 2160;

/** A made-up desktop: a bar, a side bar, lines of something like text in five greys. */
export function screen(): Frame {
  const rgba = new Uint8Array(4 * WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    const line = Math.floor(y / 20);
    for (let x = 0; x < WIDTH; x++) {
      const at = 4 * (y * WIDTH + x);
      let grey = y < 48 ? 220 : x < 300 ? 255 : 246;
      if (x > 340 && y > 80 && y % 20 < 12 && x % 9 < 7 && ((x * 7919 + line * 104729) >> 3) % 3 !== 0) {
        grey = (((x % 9) * 31 + (y % 20) * 17 + Math.floor(x / 9) * 13 + line * 7) % 5) * 50;
      }
      rgba[at] = grey;
      rgba[at + 1] = grey;
      rgba[at + 2] = grey - (grey > 2 ? 2 : 0);
      rgba[at + 3] = 255;
    }
  }
  return { width: WIDTH, height: HEIGHT, rgba };
}

function copy(frame: Frame): Frame {
  return { ...frame, rgba: frame.rgba.slice() };
}

function caret(): [Frame, Frame] {
  const a = screen(), b = copy(a);
  for (let y = 1_000; y < 1_020; y++) b.rgba.set([20, 20, 20, 255], 4 * (y * WIDTH + 1_000));
  return [a, b];
}

/** 500 × 300, one pixel to the right. */
function panel(): [Frame, Frame] {
  const a = screen(), b = copy(a);
  for (let y = 600; y < 900; y++) {
    const from = 4 * (y * WIDTH + 1_200);
    b.rgba.copyWithin(from + 4, from, from + 2_000);
  }
  return [a, b];
}

/** What is compared. */
export const PAIRS: Readonly<Record<string, () => [Frame, Frame]>> = {
  identical: () => {
    const a = screen();
    return [a, copy(a)];
  },
  caret,
  panel,
};
