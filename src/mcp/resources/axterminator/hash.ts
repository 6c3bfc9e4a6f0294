import { NO_STRING, type StringTable } from "../../../desktop/snapshot.ts";

/** A short text for much: FNV-1a in two lanes. Not for secrets; two different trees have the same one once in 10^19. */
export class Hash {
  #a = 0x811c9dc5;
  #b = 0x01234567;

  number(value: number): this {
    for (let shift = 0; shift < 32; shift += 8) this.#byte((value >>> shift) & 0xff);
    return this;
  }

  /** String number k of a table, without decoding it. */
  string({ offsets, arena }: StringTable, k: number | undefined): this {
    if (k === undefined || k === NO_STRING) return this.number(0xffffffff);
    const start = offsets[k] ?? 0, end = offsets[k + 1] ?? start;
    for (let at = start; at < end; at++) this.#byte(arena[at] ?? 0);
    return this.number(end - start);
  }

  text(value: string): this {
    for (let at = 0; at < value.length; at++) {
      const unit = value.charCodeAt(at);
      this.#byte(unit & 0xff);
      this.#byte(unit >>> 8);
    }
    return this.number(value.length);
  }

  get digest(): string {
    return (this.#a >>> 0).toString(16).padStart(8, "0") + (this.#b >>> 0).toString(16).padStart(8, "0");
  }

  #byte(byte: number): void {
    this.#a = Math.imul(this.#a ^ byte, 0x01000193);
    this.#b = Math.imul(this.#b ^ byte, 0x01000193) ^ (this.#a >>> 15);
  }
}
