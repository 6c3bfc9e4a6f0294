import type { TrueDesktop } from "./watched.ts";

/** What `setTimeout` runs. */
type Callback = () => void;

/**
 * Makes the clock of a simulated desktop the only one there is while `run` runs: deadlines and pauses of the engine then cost
 * no time, and two runs of one story are the same. One at a time in a process.
 */
export async function inVirtualTime<R>(desktop: TrueDesktop, run: () => Promise<R>): Promise<R> {
  const { now: realNow } = performance;
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  let asked = 0;
  const cleared = new Set<number>();
  let timers = 0;
  const define = (on: object, name: string, value: unknown) =>
    Object.defineProperty(on, name, { value, configurable: true, writable: true });
  // A little passes by asking, so that nobody who only looks at the time waits for ever.
  define(performance, "now", () => desktop.now() + ++asked * 1e-4);
  define(globalThis, "setTimeout", (callback: Callback, ms = 0) => {
    const timer = ++timers;
    if (ms > 0) desktop.advance(ms);
    queueMicrotask(() => {
      if (!cleared.delete(timer)) callback();
    });
    return timer;
  });
  define(globalThis, "clearTimeout", (timer: number) => void cleared.add(timer));
  try {
    return await run();
  } finally {
    define(performance, "now", realNow);
    define(globalThis, "setTimeout", realSet);
    define(globalThis, "clearTimeout", realClear);
  }
}
