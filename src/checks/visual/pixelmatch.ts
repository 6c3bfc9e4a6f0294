import pixelmatch from "pixelmatch";
import type { Pair } from "./pixel.ts";
import { across, type Bytes, HALO, Mark, type Marks, TILE } from "./marks.ts";

/** What pixelmatch itself has as its default: the share of the largest YIQ distance that is let pass. */
export const PIXELMATCH_THRESHOLD = 0.1;

/**
 * The judgement of npm's pixelmatch, on the tiles that differ only: a row of them at a time with a halo, in which its
 * neighbourhoods see what they would see in the whole picture. Its counts are those of the whole picture. Transparent
 * pixels it blends with a pattern that depends on the place; pictures that have any are handed to it whole.
 */
export function comparePixelmatch(pair: Pair, judged: Marks, threshold: number, budget: number): number {
  const { width, height, a, b } = pair;
  const columns = across(width);
  let different = 0, slot = 0;
  let all: Bytes | undefined;
  for (let index = judged.tiles.indexOf(1); index >= 0; index = judged.tiles.indexOf(1, index)) {
    const row = Math.floor(index / columns), first = index - row * columns;
    let last = first;
    while (last < columns && judged.tiles[row * columns + last] === 1) last++;
    const left = Math.max(first * TILE - HALO, 0), top = Math.max(row * TILE - HALO, 0);
    const right = Math.min(last * TILE + HALO, width), bottom = Math.min((row + 1) * TILE + HALO, height);
    const box = { left, top, right, bottom };
    const wide = right - left;
    const options = { threshold, diffMask: true };
    const p = cut(a, width, box), q = cut(b, width, box);
    if (!all && (hasAlpha(p) || hasAlpha(q))) {
      all = new Uint8Array(a.length);
      pixelmatch(a, b, all, width, height, options);
    }
    let reported: (x: number, y: number) => boolean;
    const whole = all;
    if (whole) reported = (x, y) => whole[4 * (y * width + x) + 3] !== 0;
    else {
      const mask = new Uint8Array(p.length);
      pixelmatch(p, q, mask, wide, bottom - top, options);
      reported = (x, y) => mask[4 * ((y - top) * wide + x - left) + 3] !== 0;
    }
    for (let tile = first; tile < last; tile++, slot++) {
      for (let y = row * TILE; y < Math.min((row + 1) * TILE, height); y++) {
        for (let x = tile * TILE; x < Math.min((tile + 1) * TILE, width); x++) {
          const at = slot * TILE * TILE + (y - row * TILE) * TILE + x - tile * TILE;
          if (!reported(x, y) || judged.marks[at] === Mark.ignored) continue;
          judged.marks[at] = Mark.different;
          different++;
        }
      }
    }
    if (different > budget) break;
    index = row * columns + last;
  }
  return different;
}

function hasAlpha(rgba: Bytes): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return true;
  return false;
}

/** A part of a picture, as a picture. */
export function cut(
  rgba: Uint8Array,
  width: number,
  box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
): Bytes {
  const line = 4 * (box.right - box.left);
  const part = new Uint8Array(line * (box.bottom - box.top));
  for (let y = box.top; y < box.bottom; y++) {
    const from = 4 * (y * width + box.left);
    part.set(rgba.subarray(from, from + line), (y - box.top) * line);
  }
  return part;
}
