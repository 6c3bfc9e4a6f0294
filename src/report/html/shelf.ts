import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** Bytes of PNG that a report holds; beyond it pictures of what passed go first. */
export const MOST_BYTES = 48 * 1024 * 1024;

/** The pictures of a report, each once, within a number of bytes. */
export class Shelf {
  readonly #pictures = new Map<string, { readonly png: Uint8Array; worth: number }>();
  readonly #most: number;

  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  /** Keeps a picture and answers its name. Of two, the one that is worth more stays. */
  add(png: Uint8Array, worth: number): string {
    const name = createHash("sha256").update(png).digest("hex").slice(0, 20);
    const existing = this.#pictures.get(name);
    if (existing) existing.worth = Math.max(existing.worth, worth);
    else this.#pictures.set(name, { png, worth });
    return name;
  }

  /** What fits, by name, in base64; and how many were left out, with their bytes. */
  taken(): {
    readonly pictures: ReadonlyMap<string, string>;
    readonly left: number;
    readonly leftBytes: number;
  } {
    const pictures = new Map<string, string>();
    let room = this.#most;
    let left = 0;
    let leftBytes = 0;
    const all = [...this.#pictures].sort(([, a], [, b]) => b.worth - a.worth);
    for (const [name, { png }] of all) {
      if (png.length > room) {
        left++;
        leftBytes += png.length;
        continue;
      }
      room -= png.length;
      pictures.set(name, Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString("base64"));
    }
    return { pictures, left, leftBytes };
  }
}

/** Width and height of a PNG, from its head; undefined when it is none. */
export function sizeOfPng(png: Uint8Array): { readonly width: number; readonly height: number } | undefined {
  if (png.length < 24 || png[0] !== 0x89 || png[1] !== 0x50) return undefined;
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
