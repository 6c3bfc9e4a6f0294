import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import type { Frame } from "../../desktop/desktop.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A picture as a PNG file: 8 bits RGBA, no row told from another and level 2 of 9, which takes a quarter of the time and a quarter more bytes. */
export function encodePicture(frame: Pick<Frame, "width" | "height" | "rgba">): Uint8Array {
  const { width, height, rgba } = frame;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows(rgba, width, height), { level: 2 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Of the last picture: new memory of this size takes as long as what is written to it. */
let filtered = new Uint8Array(0);

/** Each row after the number of its filter: 0, none. Valid until the next picture. */
function rows(rgba: Uint8Array, width: number, height: number): Uint8Array {
  const line = 4 * width;
  if (filtered.length !== (line + 1) * height) filtered = new Uint8Array((line + 1) * height);
  for (let y = 0; y < height; y++) {
    filtered[y * (line + 1)] = 0;
    filtered.set(rgba.subarray(y * line, (y + 1) * line), y * (line + 1) + 1);
  }
  return filtered;
}

function chunk(kind: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(kind, 4, "latin1");
  out.set(data, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}
