import type { RunEvent, StepResult } from "../contract/events.ts";
import { errorLines } from "../report/error.ts";
import { oneLine, PLAIN } from "../report/style.ts";

/** What of a test's context is used: a step runs, and is over when its function settles. */
export interface StepContext {
  /** Runs a step of the test; answers whether it passed. */
  step(step: { readonly name: string; readonly fn: () => Promise<void> }): Promise<boolean>;
}

interface Open {
  readonly done: PromiseWithResolvers<void>;
  /** It failed; whether that fails the test is known when the run is over. */
  failed?: StepResult;
}

/**
 * Shows the steps of a run as steps of a test, while they run. Steps of a test may not overlap, so that each begins when the
 * one before is over. A step that failed waits for the end of the run: of a file that is meant to fail, it is no failure.
 */
export class Steps {
  readonly #context: StepContext;
  readonly #open = new Map<string, Open>();
  readonly #all: Open[] = [];
  #chain: Promise<unknown> = Promise.resolve();

  constructor(context: StepContext) {
    this.#context = context;
  }

  reported(event: RunEvent): void {
    if (event.event === "step-started") this.#begin(event.path, event.name);
    if (event.event !== "step-finished") return;
    const { step } = event;
    const open = this.#open.get(step.path) ?? this.#begin(step.path, step.name);
    this.#open.delete(step.path);
    if (step.status === "failed") open.failed = step;
    else open.done.resolve();
  }

  /** Settles every step, and waits until the test has seen it. `asExpected`: what failed was meant to. */
  async end(asExpected: boolean): Promise<void> {
    for (const { done, failed } of this.#all) {
      if (!failed || asExpected) done.resolve();
      else {
        const error = new Error(
          failed.error ? errorLines(failed.error, PLAIN).join("\n") : "the step failed",
        );
        error.stack = error.message;
        done.reject(error);
      }
    }
    await this.#chain;
  }

  #begin(path: string, name: string): Open {
    const open: Open = { done: Promise.withResolvers<void>() };
    // It may be settled before its turn comes.
    open.done.promise.catch(() => {});
    this.#open.set(path, open);
    this.#all.push(open);
    this.#chain = this.#chain.then(() =>
      this.#context.step({ name: `${path} ${oneLine(name)}`, fn: () => open.done.promise })
    );
    return open;
  }
}
