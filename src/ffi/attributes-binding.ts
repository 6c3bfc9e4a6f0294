/** The functions of the C library, in the notation of `symbols.ts`. */
export const attributeSymbols = {
  llistxattr: { parameters: ["buffer", "buffer", "usize"], result: "isize" },
  lgetxattr: { parameters: ["buffer", "buffer", "buffer", "usize"], result: "isize" },
  fsetxattr: { parameters: ["i32", "buffer", "buffer", "usize", "i32"], result: "i32" },
  fremovexattr: { parameters: ["i32", "buffer"], result: "i32" },
} as const;

/** By what they take: paths and names end in 0. Sizes and -1 for an error. */
export interface AttributesBinding {
  list(path: Uint8Array<ArrayBuffer>, out: Uint8Array<ArrayBuffer>): number;
  read(
    path: Uint8Array<ArrayBuffer>,
    name: Uint8Array<ArrayBuffer>,
    out: Uint8Array<ArrayBuffer>,
  ): number;
  write(fd: number, name: Uint8Array<ArrayBuffer>, value: Uint8Array<ArrayBuffer>): number;
  remove(fd: number, name: Uint8Array<ArrayBuffer>): number;
}
