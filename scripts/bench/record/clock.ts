/** Microseconds of CLOCK_MONOTONIC, which other processes stamp with too. */
export class MonotonicClock implements Disposable {
  readonly #libc = Deno.dlopen("libc.so.6", {
    clock_gettime: { parameters: ["i32", "buffer"], result: "i32" },
  });
  readonly #time = new BigInt64Array(2);
  readonly #bytes = new Uint8Array(this.#time.buffer);

  now(): number {
    if (this.#libc.symbols.clock_gettime(1, this.#bytes) !== 0) throw new Error("there is no such clock");
    return Number(this.#time[0] ?? 0n) * 1e6 + Number(this.#time[1] ?? 0n) / 1e3;
  }

  [Symbol.dispose](): void {
    this.#libc.close();
  }
}
