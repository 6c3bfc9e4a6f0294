import { Buffer } from "node:buffer";
import type { Frame } from "../../desktop/desktop.ts";
import { encodeGently } from "./png.ts";

/** Bytes of pictures that a run keeps; the oldest go first. */
const MOST_SCREENSHOTS = 32 * 1024 * 1024;
/** Bytes of pictures that wait to be packed: who makes more of them waits. */
const MOST_WAITING = 48 * 1024 * 1024;

/** A picture that is kept, or was. */
export interface KeptScreenshot {
  readonly width: number;
  readonly height: number;
  /** Undefined: it was dropped, since there were too many bytes. */
  readonly png: Uint8Array | undefined;
}

/** The pictures of a run, packed as PNG while the run goes on, within a number of bytes. */
export class Screenshots {
  readonly #kept: { width: number; height: number; png: Uint8Array | undefined }[] = [];
  readonly #most: number;
  readonly #encode: (frame: Frame) => Promise<Uint8Array>;
  #last: { readonly frame: Frame; readonly number: number } | undefined;
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;
  #bytes = 0;
  #oldest = 0;

  constructor(most = MOST_SCREENSHOTS, encode = encodeGently) {
    this.#most = most;
    this.#encode = encode;
  }

  /** How many were dropped. */
  get dropped(): number {
    return this.#oldest;
  }

  /** Keeps a picture, which must not be changed any more, and answers its number: that of the last one when it is the same. */
  async add(frame: Frame): Promise<number> {
    const last = this.#last;
    if (last && sameFrame(last.frame, frame)) return last.number;
    const { width, height } = frame;
    const number = this.#kept.push({ width, height, png: undefined }) - 1;
    this.#last = { frame, number };
    this.#waiting += frame.rgba.length;
    this.#tail = this.#tail.then(() => this.#pack(frame, number));
    // Whoever asks for `all` is told; until then nobody waits for it.
    this.#tail.catch(() => {});
    while (this.#waiting > MOST_WAITING) await this.#tail;
    return number;
  }

  /** All of them, packed. */
  async all(): Promise<readonly KeptScreenshot[]> {
    await this.#tail;
    return this.#kept;
  }

  async #pack(frame: Frame, number: number): Promise<void> {
    const png = await this.#encode(frame);
    this.#waiting -= frame.rgba.length;
    const kept = this.#kept[number];
    if (kept) kept.png = png;
    this.#bytes += png.length;
    // What went wrong is at the end.
    while (this.#bytes > this.#most && this.#oldest < number) {
      const old = this.#kept[this.#oldest++];
      this.#bytes -= old?.png?.length ?? 0;
      if (old) old.png = undefined;
    }
  }
}

/** Do they show the same? */
export function sameFrame(a: Frame, b: Frame): boolean {
  return a.width === b.width && a.height === b.height && bytesOf(a).equals(bytesOf(b));
}

/** A view, not a copy. */
function bytesOf({ rgba }: Frame): Buffer {
  return Buffer.from(rgba.buffer, rgba.byteOffset, rgba.byteLength);
}
