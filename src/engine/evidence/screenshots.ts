import { Buffer } from "node:buffer";
import type { Frame } from "../../desktop/desktop.ts";

/** A picture that is kept, or was. */
export interface KeptScreenshot {
  readonly width: number;
  readonly height: number;
  /** Undefined: it was dropped, since there were too many bytes. */
  readonly png: Uint8Array | undefined;
}

/** The pictures of a run by number; the same picture is kept once. */
export class Screenshots {
  readonly #keep: (number: number, frame: Frame) => Promise<void>;
  #last: { readonly frame: Frame; readonly number: number } | undefined;
  #count = 0;

  constructor(keep: (number: number, frame: Frame) => Promise<void>) {
    this.#keep = keep;
  }

  /** How many there are, dropped ones too. */
  get count(): number {
    return this.#count;
  }

  /** Keeps a picture, which must not be changed any more, and answers its number: that of the last one when it is the same. */
  async add(frame: Frame): Promise<number> {
    const last = this.#last;
    if (last && sameFrame(last.frame, frame)) return last.number;
    const number = this.#count++;
    this.#last = { frame, number };
    await this.#keep(number, frame);
    return number;
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
