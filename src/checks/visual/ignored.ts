import type { Rect } from "../../desktop/desktop.ts";
import { type Bytes, dirtyTiles, lendable, Mark, type Marks, pixelsOf, TILE } from "./marks.ts";

/** A picture's pixels that are not judged: a byte each, 1 for these. */
export interface Ignored {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** How many there are. */
  readonly count: number;
}

/**
 * The pixels of these rectangles, which count from the picture's corner, and those of a noise mask. Parts beyond the edge are
 * none. Undefined: there are none, and nothing was allocated.
 */
export function ignoring(
  width: number,
  height: number,
  rects: readonly Rect[],
  noise?: Uint8Array,
): Ignored | undefined {
  if (rects.length === 0 && noise === undefined) return undefined;
  const pixels = noise === undefined ? new Uint8Array(width * height) : noise.slice();
  for (const rect of rects) {
    const left = Math.max(rect.x, 0), right = Math.min(rect.x + rect.width, width);
    if (right <= left) continue;
    for (let y = Math.max(rect.y, 0); y < Math.min(rect.y + rect.height, height); y++) {
      pixels.fill(1, y * width + left, y * width + right);
    }
  }
  let count = 0;
  for (const pixel of pixels) count += pixel;
  return count === 0 ? undefined : { width, height, pixels, count };
}

/** Marks what is not to be judged, before it is. */
export function markIgnored(judged: Marks, { width, pixels }: Ignored): void {
  for (const { box, marks } of dirtyTiles(judged)) {
    for (let y = box.top; y < box.bottom; y++) {
      const row = pixels.subarray(y * width + box.left, y * width + box.right);
      if (!row.includes(1)) continue;
      // Where it is 1 the mark is the same number.
      marks.set(row, (y - box.top) * TILE);
    }
  }
}

/** Learns which pixels change by themselves: every one that any two pictures in a row differ in, and its neighbours. */
export class Noise {
  readonly width: number;
  readonly height: number;
  #before: Uint32Array | undefined;
  readonly #changing: Uint8Array;
  /** How many pictures it has seen. */
  frames = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#changing = new Uint8Array(width * height);
  }

  /** Another picture of the same size, in which nothing was done. */
  learn(rgba: Uint8Array): void {
    const now = pixelsOf(lendable(rgba));
    const before = this.#before;
    if (before) { for (let i = 0; i < now.length; i++) if (now[i] !== before[i]) this.#changing[i] = 1; }
    this.#before = now;
    this.frames++;
  }

  /** A byte a pixel, 1 for what changes; undefined: nothing does. */
  mask(): Bytes | undefined {
    if (!this.#changing.includes(1)) return undefined;
    const { width, height } = this;
    const mask = new Uint8Array(width * height);
    for (let i = this.#changing.indexOf(1); i >= 0; i = this.#changing.indexOf(1, i + 1)) {
      const x = i % width, y = (i - x) / width;
      for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, height - 1); v++) {
        mask.fill(Mark.ignored, v * width + Math.max(x - 1, 0), v * width + Math.min(x + 2, width));
      }
    }
    return mask;
  }
}
