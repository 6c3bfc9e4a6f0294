import type { ActionStep } from "./output/model.ts";

/** Steps that one recording may have; nobody reads more. */
const MOST = 10_000;

/** What a step is beside what was recorded of it: whether a later act may still change it. */
interface Kept {
  readonly step: ActionStep;
  /** Who may replace it: the field that it fills. */
  readonly key: string | undefined;
}

/** Hears of each step as it comes; `replaces`: in place of the last one. Undefined: the last one is taken away. */
export type OnStep = (step: ActionStep | undefined, replaces: boolean) => void;

/** The steps of a recording, in order. */
export class Steps {
  readonly #kept: Kept[] = [];
  readonly #onStep: OnStep;

  constructor(onStep: OnStep) {
    this.#onStep = onStep;
  }

  get list(): ActionStep[] {
    return this.#kept.map(({ step }) => step);
  }

  /** Adds a step; one with the key of the last one stands in for it. */
  add(step: ActionStep, key?: string): void {
    const replaces = key !== undefined && this.#kept.at(-1)?.key === key;
    if (replaces) this.#kept.pop();
    if (this.#kept.length >= MOST) return;
    this.#kept.push({ step, key });
    this.#onStep(step, replaces);
  }

  /** Takes the last step away, whatever it is; nobody hears of it. */
  takeLast(): void {
    this.#kept.pop();
  }

  /** Takes the last step away if it has this key. */
  drop(key: string): ActionStep | undefined {
    const last = this.#kept.at(-1);
    if (last?.key !== key) return undefined;
    this.#kept.pop();
    this.#onStep(undefined, true);
    return last.step;
  }
}
