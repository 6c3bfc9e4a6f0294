import type { Desktop } from "./desktop.ts";

/** A desktop of which some members are others. */
export function instead<D extends Desktop>(desktop: D, others: Partial<Desktop>): D {
  return new Proxy(desktop, {
    get(target, key) {
      const of = key in others ? others : target;
      const value: unknown = Reflect.get(of, key, of);
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
}
