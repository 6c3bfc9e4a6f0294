import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import type { Frame } from "../../desktop/desktop.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A picture as a PNG file: 8 bits RGB, each row told from the one above it. */
export function encodePicture(frame: Pick<Frame, "width" | "height" | "rgba">): Uint8Array {
  const { width, height, rgba } = frame;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(filtered(rgba, width, height), { level: 3 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Rows without their alpha, filter "up": what a window shows goes on below, so that most of it becomes zeroes. */
function filtered(rgba: Uint8Array, width: number, height: number): Uint8Array {
  const line = 1 + 3 * width;
  const out = new Uint8Array(line * height);
  for (let y = 0, to = 0; y < height; y++) {
    out[to++] = 2;
    let from = 4 * width * y;
    const up = y === 0 ? -1 : from - 4 * width;
    for (let x = 0; x < width; x++, from += 4, to += 3) {
      const above = up < 0 ? -1 : up + 4 * x;
      for (let c = 0; c < 3; c++) {
        out[to + c] = (rgba[from + c] ?? 0) - (above < 0 ? 0 : rgba[above + c] ?? 0);
      }
    }
  }
  return out;
}

function chunk(kind: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(kind, 4, "latin1");
  out.set(data, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}
