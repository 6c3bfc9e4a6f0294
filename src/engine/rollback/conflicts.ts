import type { Conflict } from "../../contract/events.ts";
import type { Json } from "../../base/error.ts";
import type { OnConflict } from "../model/step.ts";
import { differences, type Image } from "../../contract/participant.ts";

/** A conflict that somebody may be asked about. */
export interface ConflictQuestion extends Conflict {
  /** Path of the step that is rolled back. */
  readonly path: string;
  /** For people: `text of textfield "Name"`. */
  readonly what: string;
}

/** Answers whether what somebody else changed is to be overwritten. */
export type AskConflict = (question: ConflictQuestion) => Promise<boolean>;

/** How a run decides: a question that nobody is there to answer is answered with no. */
export function conflictPolicy(policy: OnConflict, ask: AskConflict | undefined): AskConflict {
  if (policy === "force") return () => Promise.resolve(true);
  return policy === "ask" && ask ? ask : () => Promise.resolve(false);
}

/** The first property that is neither as before nor as the action left it. */
export function conflictIn(before: Image, left: Image, now: Image): Conflict {
  const [first] = differences("", left, now);
  if (!first) return { property: "", found: null, left: null, was: null };
  const { property, expected, actual } = first;
  return { property, found: actual, left: expected, was: before.properties[property] ?? null };
}

/** A conflict as a sentence, with all three values. */
export function conflictText({ property, found, left, was }: Conflict): string {
  return `${property} is ${show(found)}, the step left ${show(left)}, before it was ${show(was)}`;
}

function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
