/** The functions of the C library, by what they take: paths and names end in 0. Sizes and -1 for an error. */
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
