import { across, type Box, type Bytes, dirtyTiles, Mark, type Marks, pixelsOf, TILE } from "./marks.ts";

/*
 * The twin of native/src/pixels.c: whole numbers only, so that both answer the same of every pixel.
 */

/** Of red, green and blue in brightness, in thousandths: BT.601, as in YIQ. */
const RED = 299, GREEN = 587, BLUE = 114;

/** Two pictures of one size. */
export interface Pair {
  readonly width: number;
  readonly height: number;
  readonly a: Bytes;
  readonly b: Bytes;
}

/** Writes 1 for each tile in which a byte differs, and answers how many there are. */
export function differingTiles({ width, a, b }: Pair, tiles: Bytes): number {
  const p = pixelsOf(a), q = pixelsOf(b), columns = across(width);
  tiles.fill(0);
  let found = 0;
  for (let i = 0; i < p.length; i++) {
    if (p[i] === q[i]) continue;
    const y = Math.floor(i / width), x = i - y * width;
    const tile = Math.floor(y / TILE) * columns + Math.floor(x / TILE);
    if (tiles[tile] === 0) {
      tiles[tile] = 1;
      found++;
    }
    // The rest of this row of the tile has nothing new to tell.
    i = y * width + Math.min((Math.floor(x / TILE) + 1) * TILE, width) - 1;
  }
  return found;
}

/** Judges every pixel of those tiles; ends after the tile in which more than `budget` differ. How many do. */
export function comparePixels(pair: Pair, judged: Marks, tolerance: number, budget: number): number {
  const { width } = pair;
  const looking = new Looking(pair);
  let different = 0;
  for (const { box, marks } of dirtyTiles(judged)) {
    for (let y = box.top; y < box.bottom; y++) {
      for (let x = box.left; x < box.right; x++) {
        const at = (y - box.top) * TILE + x - box.left;
        if (marks[at] === Mark.ignored) continue;
        const i = y * width + x;
        const p = looking.a[i] ?? 0, q = looking.b[i] ?? 0;
        if (p === q || distance(p, q) <= tolerance * 255) continue;
        if (looking.antialiased(looking.a, x, y) || looking.antialiased(looking.b, x, y)) {
          marks[at] = Mark.antialiased;
        } else {
          marks[at] = Mark.different;
          different++;
        }
      }
    }
    if (different > budget) break;
  }
  return different;
}

/** The largest difference of a channel, in 1/255 of a step, over black or over white, whichever distinguishes them more. */
export function distance(p: number, q: number): number {
  const pa = p >>> 24, qa = q >>> 24;
  let most = 0;
  for (let shift = 0; shift < 24; shift += 8) {
    const black = (p >>> shift & 255) * pa - (q >>> shift & 255) * qa;
    most = Math.max(most, Math.abs(black), Math.abs(black - 255 * (pa - qa)));
  }
  return most;
}

/** Over white, in 1/255,000. */
function brightness(p: number): number {
  const alpha = p >>> 24, rest = 255 * (255 - alpha);
  return RED * ((p & 255) * alpha + rest) + GREEN * ((p >>> 8 & 255) * alpha + rest) +
    BLUE * ((p >>> 16 & 255) * alpha + rest);
}

class Looking {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly #width: number;
  readonly #height: number;

  constructor({ width, height, a, b }: Pair) {
    this.a = pixelsOf(a);
    this.b = pixelsOf(b);
    this.#width = width;
    this.#height = height;
  }

  /** Vysniauskas 2009, as pixelmatch does it: between something darker and something brighter, one of which is plain. */
  antialiased(pixels: Uint32Array, x: number, y: number): boolean {
    const { left, top, right, bottom } = this.#around(x, y);
    let equal = x === left || x === right || y === top || y === bottom ? 1 : 0;
    const own = brightness(pixels[y * this.#width + x] ?? 0);
    let darkest = 0, brightest = 0, darkX = 0, darkY = 0, brightX = 0, brightY = 0;
    for (let u = left; u <= right; u++) {
      for (let v = top; v <= bottom; v++) {
        if (u === x && v === y) continue;
        const delta = own - brightness(pixels[v * this.#width + u] ?? 0);
        if (delta === 0) {
          if (++equal > 2) return false;
        } else if (delta < darkest) [darkest, darkX, darkY] = [delta, u, v];
        else if (delta > brightest) [brightest, brightX, brightY] = [delta, u, v];
      }
    }
    if (darkest === 0 || brightest === 0) return false;
    return (this.#plain(this.a, darkX, darkY) && this.#plain(this.b, darkX, darkY)) ||
      (this.#plain(this.a, brightX, brightY) && this.#plain(this.b, brightX, brightY));
  }

  /** Has it three neighbours or more of its own colour? Beyond the edge counts as one. */
  #plain(pixels: Uint32Array, x: number, y: number): boolean {
    const { left, top, right, bottom } = this.#around(x, y);
    let same = x === left || x === right || y === top || y === bottom ? 1 : 0;
    const own = pixels[y * this.#width + x];
    for (let v = top; v <= bottom; v++) {
      for (let u = left; u <= right; u++) {
        if (u === x && v === y) continue;
        if (pixels[v * this.#width + u] === own && ++same > 2) return true;
      }
    }
    return false;
  }

  #around(x: number, y: number): Box {
    return {
      left: Math.max(x - 1, 0),
      top: Math.max(y - 1, 0),
      right: Math.min(x + 1, this.#width - 1),
      bottom: Math.min(y + 1, this.#height - 1),
    };
  }
}
