import type { Frame } from "../../desktop/desktop.ts";
import type { Cluster } from "./clusters.ts";
import type { Ignored } from "./ignored.ts";
import { dirtyTiles, lendable, Mark, type Marks, pixelsOf, TILE } from "./marks.ts";

/** 0xAABBGGRR: what differs, antialiasing, the frame around a cluster. */
const RED = 0xff0000ff, YELLOW = 0xff00ffff, FRAME = 0xffff00aa;

/**
 * The picture that shows a difference: the actual one in pale grey, what differs in red, antialiasing in yellow, what was
 * ignored in pale blue, a purple frame around each cluster.
 */
export function diffPicture(
  actual: Frame,
  judged: Marks,
  clusters: readonly Cluster[],
  ignored?: Ignored,
): Frame {
  const { width, height } = actual;
  const from = pixelsOf(lendable(actual.rgba));
  const rgba = new Uint8Array(4 * width * height);
  const to = pixelsOf(rgba);
  for (let i = 0; i < from.length; i++) {
    const p = from[i] ?? 0;
    const grey = (299 * (p & 255) + 587 * (p >>> 8 & 255) + 114 * (p >>> 16 & 255)) / 1_000;
    const pale = Math.round(255 - (255 - grey) / 4);
    const blue = ignored?.pixels[i] === 1 ? 255 : pale;
    to[i] = (0xff000000 | blue << 16 | pale << 8 | pale) >>> 0;
  }
  for (const { box, marks } of dirtyTiles(judged)) {
    for (let y = box.top; y < box.bottom; y++) {
      for (let x = box.left; x < box.right; x++) {
        const mark = marks[(y - box.top) * TILE + x - box.left];
        if (mark === Mark.different) to[y * width + x] = RED;
        else if (mark === Mark.antialiased) to[y * width + x] = YELLOW;
      }
    }
  }
  for (const { rect } of clusters) frame(to, width, height, rect);
  return { width, height, rgba };
}

/** Two pixels outside of the rectangle, where there is room. */
function frame(
  to: Uint32Array,
  width: number,
  height: number,
  rect: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): void {
  const left = Math.max(rect.x - 2, 0), top = Math.max(rect.y - 2, 0);
  const right = Math.min(rect.x + rect.width + 1, width - 1),
    bottom = Math.min(rect.y + rect.height + 1, height - 1);
  for (let x = left; x <= right; x++) to[top * width + x] = to[bottom * width + x] = FRAME;
  for (let y = top; y <= bottom; y++) to[y * width + left] = to[y * width + right] = FRAME;
}
