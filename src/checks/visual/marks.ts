/** Pixels of a tile's side. */
export const TILE = 64;
/** Pixels around what is judged apart that are looked at too: what two antialiasing neighbourhoods and a blur reach is less. */
export const HALO = 16;

/** What is told of a pixel; the same numbers as in the native core. */
export const Mark = { same: 0, ignored: 1, antialiased: 2, different: 3 } as const;

/** Bytes that may be lent to native code. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Two pictures of one size, judged: which tiles have a byte that differs, and what is told of the pixels in these. */
export interface Marks {
  readonly width: number;
  readonly height: number;
  /** Row by row: 1 where something differs. */
  readonly tiles: Bytes;
  /** 64 × 64 marks for each of these, in order. */
  readonly marks: Bytes;
}

/** A part of a picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  /** Behind the last column. */
  readonly right: number;
  /** Behind the last row. */
  readonly bottom: number;
}

/** How many tiles lie beside each other. */
export function across(pixels: number): number {
  return Math.ceil(pixels / TILE);
}

/** The tiles in which something differs, with their marks, in order. */
export function* dirtyTiles({ width, height, tiles, marks }: Marks): Generator<{ box: Box; marks: Bytes }> {
  const columns = across(width);
  let from = 0;
  for (let index = tiles.indexOf(1); index >= 0; index = tiles.indexOf(1, index + 1)) {
    const left = (index % columns) * TILE, top = Math.floor(index / columns) * TILE;
    yield {
      box: { left, top, right: Math.min(left + TILE, width), bottom: Math.min(top + TILE, height) },
      marks: marks.subarray(from, from + TILE * TILE),
    };
    from += TILE * TILE;
  }
}

/** Calls `each` with every pixel that has this mark. */
export function eachMarked(judged: Marks, mark: number, each: (x: number, y: number) => void): void {
  for (const { box, marks } of dirtyTiles(judged)) {
    for (let at = marks.indexOf(mark); at >= 0; at = marks.indexOf(mark, at + 1)) {
      each(box.left + at % TILE, box.top + Math.floor(at / TILE));
    }
  }
}

/** How many pixels have this mark. */
export function countMarked(judged: Marks, mark: number): number {
  let count = 0;
  for (let at = judged.marks.indexOf(mark); at >= 0; at = judged.marks.indexOf(mark, at + 1)) count++;
  return count;
}

/** The same bytes as native code and `Uint32Array` take them: of an `ArrayBuffer`, and beginning at a multiple of four. */
export function lendable(bytes: Uint8Array): Bytes {
  const { buffer, byteOffset, length } = bytes;
  if (buffer instanceof ArrayBuffer && byteOffset % 4 === 0) {
    return new Uint8Array(buffer, byteOffset, length);
  }
  return new Uint8Array(bytes);
}

/** A picture as one number a pixel: 0xAABBGGRR. */
export function pixelsOf(rgba: Bytes): Uint32Array<ArrayBuffer> {
  return new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length >> 2);
}
