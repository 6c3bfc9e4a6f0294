/** Turns what a tool says of its progress into values that rise strictly, as the protocol demands. */
export class IncreasingProgress {
  #last: number | undefined;

  /** The value to send: `done` where that is further than before, else a little more than before, short of the total. */
  next(done: number | undefined, total: number | undefined): number {
    return this.#last = this.#next(done, total);
  }

  #next(done: number | undefined, total: number | undefined): number {
    const last = this.#last;
    if (done !== undefined && Number.isFinite(done) && (last === undefined || done > last)) return done;
    const from = last ?? 0;
    const room = total !== undefined && total > from ? total - from : undefined;
    const step = done === undefined && room === undefined ? 1 : Math.min(0.01, (room ?? 1) / 100);
    // Where a number is too large for so small a step, the next that is greater.
    return from + step > from ? from + step : from + Math.abs(from) * 1e-12;
  }
}
