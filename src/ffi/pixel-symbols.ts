import type { Bytes } from "./binding.ts";

/** What the native core does with pictures in memory: pure functions, apart from its sessions and their ABI. */
export const pixelSymbols = {
  backstep_pixels_abi: { parameters: [], result: "u32" },
  backstep_png_header: { parameters: ["buffer", "u32", "buffer", "u32"], result: "i32" },
  backstep_png_decode: { parameters: ["buffer", "u32", "buffer", "u64"], result: "i32", nonblocking: true },
  backstep_pixels_tiles: {
    parameters: ["buffer", "u64", "buffer", "u64", "u32", "u32", "buffer", "u32"],
    result: "i64",
  },
  backstep_pixels_compare: {
    parameters: [
      "buffer",
      "u64",
      "buffer",
      "u64",
      "u32",
      "u32",
      "buffer",
      "u32",
      "buffer",
      "u64",
      "u32",
      "u64",
    ],
    result: "i64",
  },
} as const;

/** The same on every runtime; results as in `native/include/backstep.h`. */
export interface PixelBinding {
  abi(): number;
  /** On a thread of its own; neither buffer is to be touched until it resolves. */
  decode(file: Bytes, out: Bytes): Promise<number>;
  tiles(a: Bytes, b: Bytes, width: number, height: number, tiles: Bytes): number;
  /** `budget`: after how many differences it may end. */
  compare(
    a: Bytes,
    b: Bytes,
    width: number,
    height: number,
    tiles: Bytes,
    marks: Bytes,
    tolerance: number,
    budget: number,
  ): number;
}
