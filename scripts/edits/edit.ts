import type { Dice } from "../histories/dice.ts";
import { failingStep, type FormStep, randomStep } from "./steps.ts";

/** What a person did to a file. */
export interface Edit {
  readonly kind: "value" | "insert" | "delete" | "swap" | "break" | "blank";
  /** The first step that is another one now, from 0. */
  readonly first: number;
  readonly steps: readonly FormStep[];
}

/** Steps of a file at most: an edit that would make more deletes. */
const MOST = 14;

/** A random edit of a file. A step that fails is mended before anything else. */
export function randomEdit(steps: readonly FormStep[], dice: Dice, n: number, barriers: boolean): Edit {
  const broken = steps.findIndex(({ kind }) => kind === "fails");
  if (broken >= 0) {
    return { kind: "value", first: broken, steps: steps.with(broken, randomStep(dice, n, barriers)) };
  }
  const at = dice.below(steps.length);
  switch (dice.below(12)) {
    case 0:
      return { kind: "blank", first: steps.length, steps };
    case 1:
      return { kind: "break", first: at, steps: steps.with(at, failingStep()) };
    case 2:
    case 3:
      if (steps.length > 4) return { kind: "delete", first: at, steps: steps.toSpliced(at, 1) };
      break;
    case 4:
    case 5:
    case 6:
      if (steps.length < MOST) {
        return { kind: "insert", first: at, steps: steps.toSpliced(at, 0, randomStep(dice, n, barriers)) };
      }
      break;
    case 7: {
      const [a, b] = [steps[at], steps[at + 1]];
      if (a && b) return { kind: "swap", first: at, steps: steps.toSpliced(at, 2, b, a) };
    }
  }
  return { kind: "value", first: at, steps: steps.with(at, randomStep(dice, n, barriers)) };
}
