import { setImmediate } from "node:timers";
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
  const pending = new Map<number, { readonly due: number; readonly callback: Callback }>();
  let timers = 0;
  let waiting = false;
  /** Time goes on once nothing is left to run without it, to the timer that is due first. */
  const goOn = () => {
    waiting = false;
    const [next] = [...pending].sort(([, one], [, other]) => one.due - other.due);
    if (next === undefined) return;
    const [timer, { due, callback }] = next;
    pending.delete(timer);
    desktop.advance(Math.max(0, due - desktop.now()));
    if (pending.size > 0) wait();
    callback();
  };
  const wait = () => {
    if (waiting) return;
    waiting = true;
    setImmediate(goOn);
  };
  const define = (on: object, name: string, value: unknown) =>
    Object.defineProperty(on, name, { value, configurable: true, writable: true });
  // A little passes by asking, so that nobody who only looks at the time waits for ever.
  define(performance, "now", () => desktop.now() + ++asked * 1e-4);
  define(globalThis, "setTimeout", (callback: Callback, ms = 0) => {
    const timer = ++timers;
    pending.set(timer, { due: desktop.now() + Math.max(0, ms), callback });
    wait();
    return timer;
  });
  define(globalThis, "clearTimeout", (timer: number) => void pending.delete(timer));
  try {
    return await run();
  } finally {
    define(performance, "now", realNow);
    define(globalThis, "setTimeout", realSet);
    define(globalThis, "clearTimeout", realClear);
  }
}
