/** A request: its code, the byte beside it, and its parts, padded to whole words. */
export function request(opcode: number, detail: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  const bytes = new Uint8Array(padded(length));
  bytes.set([opcode, detail, ...u16(bytes.length / 4)]);
  let at = 4;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The bytes as numbers. */
export function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A length in whole words of four bytes. */
export function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

/** Latin-1 or UTF-8, as the protocol has it: names are ASCII. */
export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** Two bytes, little-endian. */
export function u16(value: number): Uint8Array {
  return Uint8Array.of(value & 255, value >> 8);
}

/** Four bytes, little-endian; negative numbers as two's complement. */
export function u32(value: number): Uint8Array {
  return Uint8Array.of(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24);
}
