/** Events within the time that make something unstable, and that time in milliseconds. */
const MANY = 6;
const WITHIN = 1_500;
/** Elements that are remembered. */
const MOST = 2_000;

/** Learns which elements change without anybody doing anything: clocks, spinners, pulsing bars. */
export class Unstable {
  readonly #times = new Map<string, number[]>();
  readonly #unstable = new Set<string>();

  /** An element changed. `idle`: nobody did anything just before. */
  heard(element: string, now: number, idle: boolean): void {
    if (!idle || this.#unstable.has(element)) return;
    const times = (this.#times.get(element) ?? []).filter((time) => now - time <= WITHIN);
    times.push(now);
    if (times.length >= MANY) {
      this.#times.delete(element);
      if (this.#unstable.size < MOST) this.#unstable.add(element);
      return;
    }
    if (this.#times.size >= MOST) this.#times.clear();
    this.#times.set(element, times);
  }

  /** Does it change by itself? */
  has(element: string): boolean {
    return this.#unstable.has(element);
  }
}
