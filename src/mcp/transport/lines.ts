import { Buffer } from "node:buffer";

/** A line, or how many bytes of one were thrown away because it was too long. */
export type Line = { readonly text: string } | { readonly tooLong: number };

/** Cuts a stream of bytes into lines. A line that is too long costs itself, not the stream. */
export class Lines {
  readonly #most: number;
  #parts: Buffer[] = [];
  #size = 0;

  /** `most` bytes a line. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The lines that end in this chunk. */
  *take(chunk: Buffer): Generator<Line> {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, at));
      from = at + 1;
      yield this.#end();
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size > this.#most) this.#parts = [];
    else this.#parts.push(part);
  }

  #end(): Line {
    const [parts, size] = [this.#parts, this.#size];
    this.#parts = [];
    this.#size = 0;
    return size > this.#most ? { tooLong: size } : { text: Buffer.concat(parts).toString() };
  }
}
