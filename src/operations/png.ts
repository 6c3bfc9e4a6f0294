// @ts-types="../checks/visual/pngjs.d.ts"
import { PNG } from "pngjs";
import { Buffer } from "node:buffer";
import type { Frame } from "../desktop/desktop.ts";

/** A picture as the bytes of a PNG file. */
export function encodePng(frame: Frame): Uint8Array {
  const png = new PNG({ width: frame.width, height: frame.height, colorType: 2, inputHasAlpha: true });
  png.data = Buffer.from(frame.rgba);
  return PNG.sync.write(png, { colorType: 2 });
}
