import { promisify } from "node:util";
import { constants, deflateRaw } from "node:zlib";
import type { Frame } from "../../desktop/desktop.ts";

const deflate = promisify(deflateRaw);

/** Pixels of a side of a tile. */
export const TILE = 64;
/** Bytes of the head of a message, and of one tile in it. */
const HEAD = 12, PLACE = 8;

/** A part of a picture that is sent. */
export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The tiles in which two pictures differ; all of them where they have no common size. Neighbours in a row are one. */
export function changedTiles(before: Frame | undefined, now: Frame): Tile[] {
  const { width, height } = now;
  const same = before?.width === width && before.height === height ? before : undefined;
  const a = pixelsOf(now), b = same && pixelsOf(same);
  const tiles: Tile[] = [];
  for (let y = 0; y < height; y += TILE) {
    const tall = Math.min(TILE, height - y);
    let last: Tile | undefined;
    for (let x = 0; x < width; x += TILE) {
      const wide = Math.min(TILE, width - x);
      if (b !== undefined && !differs(a, b, width, x, y, wide, tall)) continue;
      if (last !== undefined && last.x + last.width === x) tiles.pop();
      else last = undefined;
      last = last === undefined
        ? { x, y, width: wide, height: tall }
        : { x: last.x, y, width: last.width + wide, height: tall };
      tiles.push(last);
    }
  }
  return tiles;
}

/**
 * Tiles of a picture as one message: its length, the size of the screen, how many tiles, their places, and their pixels one after
 * another, deflated.
 */
export async function tileMessage(frame: Frame, tiles: readonly Tile[]): Promise<Uint8Array> {
  const source = pixelsOf(frame);
  const pixels = new Uint32Array(tiles.reduce((sum, { width, height }) => sum + width * height, 0));
  let at = 0;
  for (const { x, y, width, height } of tiles) {
    for (let line = y; line < y + height; line++, at += width) {
      const from = line * frame.width + x;
      pixels.set(source.subarray(from, from + width), at);
    }
  }
  const bytes = new Uint8Array(pixels.buffer);
  const packed = await deflate(bytes, { level: constants.Z_BEST_SPEED });
  const message = new Uint8Array(HEAD + PLACE * tiles.length + packed.length);
  const view = new DataView(message.buffer);
  view.setUint32(0, message.length - 4, true);
  view.setUint16(4, frame.width, true);
  view.setUint16(6, frame.height, true);
  view.setUint32(8, tiles.length, true);
  for (const [k, { x, y, width, height }] of tiles.entries()) {
    for (const [n, side] of [x, y, width, height].entries()) {
      view.setUint16(HEAD + PLACE * k + 2 * n, side, true);
    }
  }
  message.set(packed, HEAD + PLACE * tiles.length);
  return message;
}

function pixelsOf({ rgba, width, height }: Frame): Uint32Array {
  // What does not lie at a whole word is copied.
  const bytes = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
  return new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
}

function differs(
  a: Uint32Array,
  b: Uint32Array,
  stride: number,
  x: number,
  y: number,
  width: number,
  height: number,
): boolean {
  for (let line = y; line < y + height; line++) {
    const from = line * stride + x;
    for (let at = from; at < from + width; at++) if (a[at] !== b[at]) return true;
  }
  return false;
}
