import { Buffer } from "node:buffer";
import type { Frame } from "../../desktop/desktop.ts";
import type { PixelMemory } from "./pixel-memory.ts";

/** A picture that is kept, or was. */
export interface KeptScreenshot {
  readonly width: number;
  readonly height: number;
  /** Undefined: it was dropped, since there were too many bytes. */
  readonly png: Uint8Array | undefined;
}

/** Who keeps pictures. Resolves when the next one may come; `packed`: this one is not looked at any more. */
export type KeepScreenshot = (number: number, frame: Frame, packed: () => void) => Promise<void>;

/** The pictures of a run by number; the same picture is kept once. */
export class Screenshots {
  readonly #keep: KeepScreenshot;
  readonly #memory: PixelMemory;
  #last: { readonly frame: Frame; readonly number: number } | undefined;
  #count = 0;

  constructor(keep: KeepScreenshot, memory: PixelMemory) {
    this.#keep = keep;
    this.#memory = memory;
  }

  /** How many there are, dropped ones too. */
  get count(): number {
    return this.#count;
  }

  /**
   * Keeps a picture, which must not be changed any more, and answers its number: that of the last one when it is the same. Its pixels
   * lie in the `PixelMemory`, which gets them once nobody needs them.
   */
  async add(frame: Frame): Promise<number> {
    const last = this.#last;
    if (last && sameFrame(last.frame, frame)) {
      this.#memory.unused(frame.rgba);
      return last.number;
    }
    const number = this.#count++;
    this.#last = { frame, number };
    if (last) this.#memory.done(last.frame.rgba);
    await this.#keep(number, frame, () => this.#memory.done(frame.rgba));
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
