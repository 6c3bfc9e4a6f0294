import { cancelled } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";

/**
 * The time of a simulated desktop. A real one waits; a virtual one jumps, so that what hangs for two seconds costs
 * nothing. Nothing runs by itself: what is due is done when somebody calls or waits.
 */
export interface Clock {
  readonly virtual: boolean;
  /** Milliseconds since the desktop began. */
  now(): number;
  /** Waits, or jumps; throws `cancelled` when the signal fires and `no_desktop` when the desktop is closed. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Moves a virtual clock; a real one cannot be moved. */
  advance(milliseconds: number): void;
  /** Ends every wait under way. */
  stop(): void;
}

/** A clock of the given kind that starts at 0. */
export function makeClock(virtual: boolean): Clock {
  return virtual ? new VirtualClock() : new RealClock();
}

class VirtualClock implements Clock {
  readonly virtual = true;
  #now = 0;
  now(): number {
    return this.#now;
  }
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw cancelled("wait", signal.reason);
    this.#now += milliseconds;
    // One turn of the event loop: a caller that waits in a loop must not starve everybody else.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (signal?.aborted) throw cancelled("wait", signal.reason);
  }
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
  stop(): void {}
}

class RealClock implements Clock {
  readonly virtual = false;
  readonly #start = performance.now();
  readonly #waits = new Set<(error: BackstepError) => void>();
  now(): number {
    return performance.now() - this.#start;
  }
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled("wait", signal.reason));
      const timer = setTimeout(() => {
        finish();
        resolve();
      }, milliseconds);
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        this.#waits.delete(fail);
      };
      const fail = (error: BackstepError) => {
        finish();
        reject(error);
      };
      const abort = () => fail(cancelled("wait", signal?.reason));
      this.#waits.add(fail);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }
  advance(): void {
    throw new BackstepError(
      "usage",
      "Cannot move the clock of this simulated desktop: it runs in real time",
      {
        hint: 'Make it with simulate({ clock: "virtual" }).',
      },
    );
  }
  stop(): void {
    for (const fail of [...this.#waits]) {
      fail(new BackstepError("no_desktop", "Cannot go on waiting: the simulated desktop was closed"));
    }
  }
}
