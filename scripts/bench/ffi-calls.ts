/**
 * What calls into the native core cost on the runtime that runs this: prints them as JSON. Run by `ffi.ts`, on each of them.
 *
 * @module
 */
import { loadLibrary } from "../../src/ffi/library.ts";
import { median } from "./row.ts";

/** Calls of a sample, and samples. */
const CALLS = 20_000;
const SAMPLES = 25;
/** Waits that are woken. */
const WAITS = 200;
/** Milliseconds that the core takes a wait to block at most. */
const LONGEST_WAIT = 500;

/** What was measured. */
export interface FfiCosts {
  /** Nanoseconds of a call without parameters. */
  readonly abi_ns: number;
  /** Nanoseconds of a call with a handle of 64 bits and a buffer. */
  readonly peek_ns: number;
  /** Microseconds from waking a waiter to its promise. */
  readonly wake_us: number;
}

/** Nanoseconds that one call takes: the fastest of some samples, since others use the processor too. */
function nanoseconds(call: () => void): number {
  for (let n = 0; n < CALLS; n++) call();
  return Math.min(...Array.from({ length: SAMPLES }, () => {
    const began = performance.now();
    for (let n = 0; n < CALLS; n++) call();
    return (performance.now() - began) * 1e6 / CALLS;
  }));
}

async function measure(): Promise<FfiCosts> {
  const binding = await loadLibrary();
  const session = binding.open();
  try {
    const bus = new TextEncoder().encode(":1.1");
    const abi_ns = nanoseconds(() => void binding.abi());
    const peek_ns = nanoseconds(() => void binding.peek(session, bus));
    const buffer = new Uint8Array(4_096);
    const woken: number[] = [];
    for (let n = 0; n < WAITS; n++) {
      const waiting = binding.wait(buffer, LONGEST_WAIT);
      // The thread is in its wait when other work has been done in between.
      await new Promise((resolve) => setTimeout(resolve, 2));
      const began = performance.now();
      binding.wake();
      await waiting;
      woken.push((performance.now() - began) * 1_000);
    }
    return { abi_ns, peek_ns, wake_us: median(woken) };
  } finally {
    await binding.close(session);
  }
}

console.log(JSON.stringify(await measure()));
