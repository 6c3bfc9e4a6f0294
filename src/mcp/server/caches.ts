/** How long answers may be given again, in milliseconds; 0: never. */
export interface Caches {
  readonly trees: number;
  /** Of one window or screen. */
  readonly screenshots: number;
}

/** Milliseconds that an answer may be given again, where a host does not say. */
export const CACHES: Caches = { trees: 500, screenshots: 100 };
