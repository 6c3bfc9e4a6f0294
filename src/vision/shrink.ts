import type { Frame } from "../desktop/desktop.ts";

/**
 * The picture with its longer side at most `most` pixels, each pixel the mean of those it stands for; models scale down
 * what is larger, and then answer in pixels of a picture that nobody else has.
 */
export function shrink(frame: Frame, most: number): Frame {
  const scale = Math.max(frame.width, frame.height) / most;
  if (scale <= 1) return frame;
  const width = Math.max(1, Math.floor(frame.width / scale));
  const height = Math.max(1, Math.floor(frame.height / scale));
  const rgba = new Uint8Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    const [top, bottom] = span(row, height, frame.height);
    for (let column = 0; column < width; column++) {
      const [left, right] = span(column, width, frame.width);
      const sums = [0, 0, 0];
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const at = 4 * (y * frame.width + x);
          for (let c = 0; c < 3; c++) sums[c] = (sums[c] ?? 0) + (frame.rgba[at + c] ?? 0);
        }
      }
      const count = (bottom - top) * (right - left);
      const to = 4 * (row * width + column);
      for (let c = 0; c < 3; c++) rgba[to + c] = Math.round((sums[c] ?? 0) / count);
      rgba[to + 3] = 255;
    }
  }
  return { width, height, rgba };
}

/** The pixels of the large picture that a pixel of the small one stands for; at least one. */
function span(index: number, small: number, large: number): readonly [from: number, to: number] {
  const from = Math.floor(index * large / small);
  return [from, Math.max(from + 1, Math.floor((index + 1) * large / small))];
}
