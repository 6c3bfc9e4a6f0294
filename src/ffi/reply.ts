import { BackstepError } from "../base/error.ts";

// A leading U+FEFF is content here, not a mark to be dropped.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Unpacks a reply of the native core. Every read is checked against the end of the reply; a reply that is too short
 * throws `internal` instead of answering zeros.
 *
 * @example
 * ```ts
 * import { Reply } from "./reply.ts";
 * const reply = new Reply(new Uint8Array([7, 0, 0, 0]));
 * if (reply.u32() !== 7 || reply.left !== 0) throw new Error("unpacked otherwise");
 * ```
 */
export class Reply {
  readonly #data: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  /** Bytes not read yet. */
  get left(): number {
    return this.#data.length - this.#at;
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }
  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }
  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }
  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** A string: its length in bytes, then UTF-8. */
  str(): string {
    return decoder.decode(this.bytes(this.u32()));
  }

  /** The next `length` bytes: a view, not a copy. */
  bytes(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#data.subarray(at, at + length);
  }

  /** A count of entries that take at least `least` bytes each: one that cannot fit is refused before it is believed. */
  count(least: number): number {
    const count = this.u32();
    if (count * least > this.left) {
      throw malformed(`it announces ${count} entries in ${this.left} bytes`);
    }
    return count;
  }

  /** Throws `internal` unless everything was read. */
  end(): void {
    if (this.left !== 0) throw malformed(`${this.left} bytes are left over`);
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.left) throw malformed(`it ends at byte ${this.#data.length}, inside a field`);
    this.#at += length;
    return at;
  }
}

/** The error of a reply that breaks the rules of the header. */
export function malformed(what: string): BackstepError {
  return new BackstepError("internal", `Cannot read the native core's answer: ${what}`, {
    hint: "The native core and this program may be from different builds: run tools/setup.sh.",
  });
}
