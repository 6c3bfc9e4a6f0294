import { cancelled } from "../base/call.ts";
import { BackstepError, type ErrorJson } from "../base/error.ts";
import type { Claim, ClaimOutcome, Claims } from "../engine/run/claims.ts";
import type { Report } from "./wire.ts";

/** Asks the runner for each action that cannot be undone, over the wire of its worker. */
export class ClaimsByWire implements Claims {
  readonly #say: (report: Report) => void;
  readonly #signal: () => AbortSignal;
  readonly #asked = new Map<number, PromiseWithResolvers<void>>();
  #last = 0;

  /** `signal`: of the run that goes on now; it fires where the runner is gone, too. */
  constructor(say: (report: Report) => void, signal: () => AbortSignal) {
    this.#say = say;
    this.#signal = signal;
  }

  async claim(claim: Claim): Promise<void> {
    const signal = this.#signal();
    const id = ++this.#last;
    const asked = Promise.withResolvers<void>();
    const stop = () => {
      const { cause, message } = cancelled("claim the action", signal.reason);
      asked.reject(new BackstepError("cancelled", message, { cause, details: { outcome: "not_sent" } }));
    };
    this.#asked.set(id, asked);
    signal.addEventListener("abort", stop, { once: true });
    try {
      if (signal.aborted) stop();
      else this.#say({ say: "claim", id, claim });
      await asked.promise;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#asked.delete(id);
    }
  }

  finished(path: string, outcome: ClaimOutcome): void {
    this.#say({ say: "claim-finished", path, outcome });
  }

  /** The runner's answer. One that comes when nobody waits for it any more is for nobody. */
  answered(id: number, error: ErrorJson | undefined): void {
    const asked = this.#asked.get(id);
    if (!error) return asked?.resolve();
    const { code, message, ...rest } = error;
    asked?.reject(new BackstepError(code, message, rest));
  }
}
