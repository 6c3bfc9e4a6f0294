import type { Json } from "../base/error.ts";
import type { Suggestion, Trial } from "../engine/run/healing.ts";
import type { ChangedProperty, StepChange } from "../engine/run/step-change.ts";
import { asksExistenceOnly } from "./locators.ts";

/** What a trial of a candidate says, beside what the step changed when it passed. */
export type Proof = NonNullable<Suggestion["proof"]>;

/** Compares what a candidate did with what the step did before. */
export function proofOf(
  recorded: StepChange | undefined,
  { change, error, remains }: Trial,
  input: Json,
): Proof {
  if (error?.code === "barrier") return unproved("it cannot be undone, so that it was not tried");
  if (error !== undefined) return refuted(`it fails: ${error.message}`);
  if (remains) return unproved("what it did could not be undone");
  if (change === undefined) return unproved("what it did is not known");
  if (change.effect === "read") {
    return asksExistenceOnly(input)
      ? unproved("nothing is asserted but that it exists")
      : { verdict: "proved", reason: "what the step asserts holds of it" };
  }
  if (recorded === undefined) return unproved("what the step changed before is not known");
  if (recorded.effect !== change.effect) {
    return refuted(`its effect is ${change.effect}, and was ${recorded.effect}`);
  }
  if (recorded.opened !== change.opened || keysOf(recorded.changed) !== keysOf(change.changed)) {
    return refuted("it changes something else than the step did before");
  }
  if (change.changed.length === 0 && !change.opened) return unproved("nothing was seen to change");
  return { verdict: "proved", reason: "it did what the step did before, and was rolled back" };
}

function unproved(reason: string): Proof {
  return { verdict: "unproved", reason };
}

function refuted(reason: string): Proof {
  return { verdict: "refuted", reason: reason.slice(0, 300) };
}

function keysOf(changed: readonly ChangedProperty[]): string {
  return changed.map(({ kind, property, left }) => `${kind}\n${property}\n${left}`).sort().join("\n\n");
}
