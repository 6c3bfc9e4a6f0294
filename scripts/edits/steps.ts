import type { Json } from "../../src/base/error.ts";
import type { Dice } from "../histories/dice.ts";
import { ITEMS } from "../histories/form.ts";
import { SELECTORS } from "../histories/make.ts";

/** A step of a random file, and what of the form it may change. */
export interface FormStep {
  readonly step: { readonly [verb: string]: Json };
  readonly touches: readonly string[];
  /** "barrier": it cannot be undone. "outward": it says so, too. */
  readonly kind: "restorable" | "barrier" | "reads" | "fails";
}

const COLOURS = ["red", "green", "blue"] as const;

/** A random step; `n` makes its values unlike those of others. */
export function randomStep(dice: Dice, n: number, barriers: boolean): FormStep {
  if (barriers && dice.oneIn(14)) {
    return { step: { click: 'button[name="Send"]' }, touches: ["sent", "beta"], kind: "barrier" };
  }
  if (dice.oneIn(10)) {
    return { step: { assert: { target: 'button[name="Plus"]', exists: true } }, touches: [], kind: "reads" };
  }
  return restorableStep(dice, n);
}

/** One that can be rolled back. */
export function restorableStep(dice: Dice, n: number): FormStep {
  const set = (key: string, value: Json, touches: readonly string[] = [key]): FormStep => ({
    step: { set: { target: SELECTORS[key] ?? "", value } },
    touches,
    kind: "restorable",
  });
  switch (dice.below(9)) {
    case 0:
      return set("alpha", `v${n}`, ["alpha", "echo"]);
    case 1:
      return set("beta", `v${n}`);
    case 2:
      return set("notes", `line ${n}`);
    case 3:
      return {
        step: { type: { into: SELECTORS["beta"] ?? "", text: `t${n}` } },
        touches: ["beta"],
        kind: "restorable",
      };
    case 4:
      return set("copies", n % 99);
    case 5:
      return set("level", 5 * (n % 20));
    case 6:
      return set(dice.of(["wrap", "wifi"]), dice.oneIn(2));
    case 7:
      return {
        step: { click: SELECTORS[dice.of(COLOURS)] ?? "" },
        touches: COLOURS,
        kind: "restorable",
      };
    default:
      return set("language", dice.of(ITEMS.language));
  }
}

/** One that finds nothing. */
export function failingStep(): FormStep {
  const step = { assert: { target: 'button[name="Nowhere"]', exists: true, timeout: "100ms" } };
  return { step, touches: [], kind: "fails" };
}
