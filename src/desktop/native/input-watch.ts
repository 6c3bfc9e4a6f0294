import { type Call, Deadline, pause } from "../../base/call.ts";
import type { ForeignInput, InputWatch } from "../desktop.ts";

/** What one reader has not taken yet of what somebody else did with keyboard and pointer. */
export class NativeInputWatch implements InputWatch {
  readonly #onClose: (watch: NativeInputWatch) => Promise<void>;
  #seen: ForeignInput | undefined;
  /** Milliseconds of `performance.now()`. */
  #last = -Infinity;

  constructor(onClose: (watch: NativeInputWatch) => Promise<void>) {
    this.#onClose = onClose;
  }

  take(): ForeignInput | undefined {
    const seen = this.#seen;
    this.#seen = undefined;
    return seen;
  }

  async quiet(milliseconds: number, call: Call): Promise<boolean> {
    const deadline = Deadline.of(call, 10 * milliseconds);
    for (;;) {
      deadline.check("wait until nobody uses keyboard and pointer");
      const left = this.#last + milliseconds - performance.now();
      if (left <= 0) return true;
      if (deadline.passed) return false;
      await pause(Math.min(left, deadline.remaining()), deadline.signal);
    }
  }

  close(): Promise<void> {
    return this.#onClose(this);
  }

  /** Something was noticed. For the desktop. */
  push(input: ForeignInput): void {
    this.#seen = added(this.#seen, input);
    this.#last = performance.now();
  }
}

/** Both together. */
export function added(a: ForeignInput | undefined, b: ForeignInput): ForeignInput {
  return {
    keys: (a?.keys ?? 0) + b.keys,
    buttons: (a?.buttons ?? 0) + b.buttons,
    wheel: (a?.wheel ?? 0) + b.wheel,
    motions: (a?.motions ?? 0) + b.motions,
  };
}
