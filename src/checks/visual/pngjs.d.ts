import type { Buffer } from "node:buffer";

/** What is used of pngjs 7, which brings no types. */
export class PNG {
  constructor(options: { width: number; height: number; colorType?: 0 | 2 | 4 | 6; inputHasAlpha?: boolean });
  width: number;
  height: number;
  /** RGBA, four bytes a pixel. */
  data: Buffer;
  static sync: {
    read(bytes: Buffer): PNG;
    write(png: PNG, options?: { colorType?: 0 | 2 | 4 | 6 }): Buffer;
  };
}
