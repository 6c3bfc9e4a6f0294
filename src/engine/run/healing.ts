import type { Deadline } from "../../base/call.ts";
import type { ErrorCode, Json, Place } from "../../base/error.ts";
import type { Act } from "../../contract/gate.ts";
import type { Session } from "../../session/session.ts";
import type { Mask } from "../secrets/mask.ts";
import type { StepChange } from "./step-change.ts";

/** A step as healing knows it. */
export interface HealingStep {
  /** Its path in its own file, "2" or "before.1"; turns of loops are one step. */
  readonly path: string;
  /** Where its verb stands. */
  readonly place: Place;
  /** Filled in. */
  readonly input: Json;
}

/** Where something that was not found may be looked for. */
export interface Whereabouts {
  readonly session: Session;
  readonly app: string | undefined;
  readonly deadline: Deadline;
}

/** What a locator that found nothing may have meant. */
export interface Candidate {
  /** The property of the step's input that has the locator. */
  readonly property: string;
  /** The locator that found nothing, and one that finds the candidate. */
  readonly from: string;
  readonly to: string;
  /** From 0 to 1, and what it is better by than the next. */
  readonly score: number;
  readonly margin: number;
  /** For people: what agrees. */
  readonly reasons: readonly string[];
}

/** Nothing that is there is believed to be what was meant. */
export interface NoCandidate {
  /** In a word: "tie", "absent". */
  readonly refused: string;
  readonly reason: string;
}

/** A candidate as errors have it, in `details.suggestion`. */
export interface Suggestion extends Candidate {
  /** What came of trying it; absent: it was not tried. */
  readonly proof?: { readonly verdict: "proved" | "unproved" | "refuted"; readonly reason: string };
  /** The file with the patch; absent: none was written. */
  readonly patch?: string;
}

/** What came of trying a candidate. */
export interface Trial {
  /** What it did; absent: it did not come to that. */
  readonly change?: StepChange;
  /** Why it was not done, or failed. */
  readonly error?: { readonly code: ErrorCode; readonly message: string };
  /** What it did is not rolled back. */
  readonly remains: boolean;
}

/** Keeps what locators find, and knows what one that finds nothing may have meant. */
export interface Healing {
  /** Candidates are to be tried. */
  readonly proves: boolean;
  /** The locators of a step find what they name: before it is acted on, or after it was read. */
  found(step: HealingStep, act: Act): Promise<void>;
  /** The step is over, and passed. */
  passed(step: HealingStep, change: StepChange | undefined): void;
  /** What a locator that finds nothing may have meant, or why nothing is said; undefined: nothing is known of it. */
  candidate(step: HealingStep, where: Whereabouts): Promise<Candidate | NoCandidate | undefined>;
  /** What came of a trial: a candidate that is proved gets a patch. */
  judge(step: HealingStep, candidate: Candidate, trial: Trial, mask: Mask): Suggestion;
  /** The run is over: what was found is kept where it passed. */
  finished(passed: boolean, mask: Mask): void;
}
