import type { Frame, Rect } from "../../desktop/desktop.ts";
import { eachMarked, lendable, Mark, type Marks, pixelsOf } from "./marks.ts";
import { distance } from "./pixel.ts";

/** Pixels in any direction that are tried, and along one axis. */
const AROUND = 16, ALONG = 64;
/** Of the differing pixels, how many a movement must explain. */
const SHARE = 0.95;
/** Pixels that a first look takes; and how far off of 255 a channel may be. */
const SAMPLE = 200, OFF = 8;

/** What was there is there still, so many pixels to the right and down. */
export interface Movement {
  /** To the right, in pixels. */
  readonly dx: number;
  /** Down, in pixels. */
  readonly dy: number;
}

/**
 * The shortest movement that explains a cluster: nearly each of its differing pixels shows now what was that far before it,
 * and what it showed before is now that far behind it. Both are asked, since what merely vanished satisfies the
 * first alone. Undefined: none does.
 */
export function movementOf(
  baseline: Frame,
  actual: Frame,
  judged: Marks,
  rect: Rect,
): Movement | undefined {
  const points: number[] = [];
  const { width } = judged;
  eachMarked(judged, Mark.different, (x, y) => {
    if (x < rect.x || y < rect.y || x >= rect.x + rect.width || y >= rect.y + rect.height) return;
    points.push(y * width + x);
  });
  if (points.length < 4) return undefined;
  const stride = Math.max(1, Math.floor(points.length / SAMPLE));
  const few = points.filter((_, index) => index % stride === 0);
  const looking = new Looking(baseline, actual);
  for (const { dx, dy } of MOVEMENTS) {
    if (looking.explains(few, dx, dy) && looking.explains(points, dx, dy)) return { dx, dy };
  }
  return undefined;
}

/** The nearest first. */
const MOVEMENTS: readonly Movement[] = (() => {
  const all: Movement[] = [];
  for (let dy = -ALONG; dy <= ALONG; dy++) {
    for (let dx = -ALONG; dx <= ALONG; dx++) {
      const near = Math.abs(dx) <= AROUND && Math.abs(dy) <= AROUND;
      if ((dx !== 0 || dy !== 0) && (near || dx === 0 || dy === 0)) all.push({ dx, dy });
    }
  }
  return all.sort((a, b) => a.dx ** 2 + a.dy ** 2 - b.dx ** 2 - b.dy ** 2);
})();

class Looking {
  readonly #width: number;
  readonly #height: number;
  readonly #before: Uint32Array;
  readonly #now: Uint32Array;

  constructor(baseline: Frame, actual: Frame) {
    this.#width = baseline.width;
    this.#height = baseline.height;
    this.#before = pixelsOf(lendable(baseline.rgba));
    this.#now = pixelsOf(lendable(actual.rgba));
  }

  explains(points: readonly number[], dx: number, dy: number): boolean {
    let mayMiss = Math.floor(points.length * (1 - SHARE));
    for (const point of points) {
      if (this.#moved(point, dx, dy)) continue;
      if (--mayMiss < 0) return false;
    }
    return true;
  }

  #moved(point: number, dx: number, dy: number): boolean {
    const x = point % this.#width, y = (point - x) / this.#width;
    return same(this.#now[point], at(this.#before, x - dx, y - dy, this.#width, this.#height)) &&
      same(this.#before[point], at(this.#now, x + dx, y + dy, this.#width, this.#height));
  }
}

function at(pixels: Uint32Array, x: number, y: number, width: number, height: number): number | undefined {
  return x < 0 || y < 0 || x >= width || y >= height ? undefined : pixels[y * width + x];
}

function same(a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a === b || distance(a, b) <= OFF * 255;
}
