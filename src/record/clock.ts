/** Half of what the display's clock counts up to before it begins anew: 2^32 ms. */
const WRAP = 2 ** 31;

/** The display's time as that of `performance.now()`: what arrived soonest was the least delayed on its way. */
export class Clock {
  #offset: number | undefined;

  /** The same event by our clock; `now`: when it arrived. */
  own<E extends { readonly time: number }>(event: E, now: number): E {
    const offset = now - event.time;
    const earlier = this.#offset;
    if (earlier === undefined || offset < earlier || offset - earlier > WRAP) this.#offset = offset;
    return { ...event, time: event.time + (this.#offset ?? offset) };
  }
}
