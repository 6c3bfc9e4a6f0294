import { BackstepError } from "../base/error.ts";
import type { Bytes } from "./binding.ts";

const encoder = new TextEncoder();

/**
 * Packs a request for the native core: little-endian, without padding; a string is its length in bytes (u32) and
 * UTF-8.
 *
 * @example
 * ```ts
 * import { Request } from "./request.ts";
 * const bytes = new Request().str("é").u32(7).bytes();
 * if (bytes.length !== 4 + 2 + 4) throw new Error("packed otherwise");
 * ```
 */
export class Request {
  #data = new Uint8Array(64);
  #view = new DataView(this.#data.buffer);
  #length = 0;

  /** An unsigned 32-bit number. */
  u32(value: number): this {
    whole(value, 0, 0xffffffff);
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  /** A signed 32-bit number. */
  i32(value: number): this {
    whole(value, -0x80000000, 0x7fffffff);
    const at = this.#grow(4);
    this.#view.setInt32(at, value, true);
    return this;
  }

  f64(value: number): this {
    const at = this.#grow(8);
    this.#view.setFloat64(at, value, true);
    return this;
  }

  /** Throws `invalid` for text that UTF-8 cannot hold or the core does not take: half a surrogate pair, NUL. */
  str(text: string): this {
    if (/[\0\p{Surrogate}]/u.test(text)) {
      throw new BackstepError(
        "invalid",
        "Cannot pass the text on: it holds a NUL character or half of a surrogate pair",
        { hint: "Remove the character; no toolkit accepts it." },
      );
    }
    return this.blob(encoder.encode(text));
  }

  /** Bytes of any kind, with their length. */
  blob(bytes: Uint8Array): this {
    return this.u32(bytes.length).packed(bytes);
  }

  /** Bytes of another request, as they are. */
  packed(bytes: Uint8Array): this {
    const at = this.#grow(bytes.length);
    this.#data.set(bytes, at);
    return this;
  }

  /** The packed request: a view that is valid until the next write. */
  bytes(): Bytes {
    return this.#data.subarray(0, this.#length);
  }

  #grow(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#data.length) {
      const larger = new Uint8Array(Math.max(2 * this.#data.length, this.#length));
      larger.set(this.#data);
      this.#data = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}

function whole(value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new BackstepError(
    "invalid",
    `Cannot pass ${value} on: it is no whole number from ${least} to ${most}`,
    { details: { value: String(value) } },
  );
}
