/** Pieces that wait to be used again at most. */
const MOST = 4;
/** Who needs a piece that was taken: the thread that packs it, and whoever compares the next picture with it. */
const USERS = 2;

/** Pieces that nobody needs, the oldest first, for the next run of this process too. */
const free: SharedArrayBuffer[] = [];

/**
 * Memory of pictures that two threads have, used again once nobody needs it: where memory comes a page at a time, to write to
 * new memory takes far longer than to write to it again.
 */
export class PixelMemory {
  readonly #users = new Map<ArrayBufferLike, number>();

  /** Memory for so many bytes, whatever stands in it. */
  take(length: number): Uint8Array {
    const at = free.findIndex(({ byteLength }) => byteLength === length);
    const [piece = new SharedArrayBuffer(length)] = at < 0 ? [] : free.splice(at, 1);
    this.#users.set(piece, USERS);
    return new Uint8Array(piece);
  }

  /** One of both does not need it any more. */
  done({ buffer }: Uint8Array): void {
    const left = (this.#users.get(buffer) ?? 0) - 1;
    if (left > 0) this.#users.set(buffer, left);
    else this.#free(buffer);
  }

  /** Nobody needs it: it is neither packed nor compared with. */
  unused({ buffer }: Uint8Array): void {
    this.#free(buffer);
  }

  #free(buffer: ArrayBufferLike): void {
    if (!this.#users.delete(buffer) || !(buffer instanceof SharedArrayBuffer)) return;
    free.push(buffer);
    // The oldest may have a size that no picture has any more.
    if (free.length > MOST) free.shift();
  }
}
