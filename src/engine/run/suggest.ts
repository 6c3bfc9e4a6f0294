import { BackstepError, type Json } from "../../base/error.ts";
import { fill } from "../model/fill.ts";
import type { OperationStep } from "../model/step.ts";
import type { HealingStep, Suggestion } from "./healing.ts";
import type { RunContext } from "./run-context.ts";
import type { Standing } from "./standing.ts";
import { tryCandidate } from "./try-candidate.ts";

/** Milliseconds for looking what a locator may have meant. */
const LOOK = 10_000;

/** A step as healing knows it; undefined: nothing is to be healed of it. */
export function healingStep(step: OperationStep, at: Standing, input: Json): HealingStep | undefined {
  const { file, path } = at;
  // Steps of a rollback stand in no file.
  if (file === undefined) return undefined;
  const own = path.startsWith(file) ? path.slice(file.length) : path;
  return { path: own.replace(/\[\d+\]/g, "[]"), place: step.place, input };
}

/** Says only that its locator found nothing: what was found and is otherwise is no fault of the locator. */
function foundNothing({ code, details }: BackstepError): boolean {
  if (code === "not_found") return true;
  return (code === "assertion" || code === "timeout") && details?.["count"] === 0;
}

/** An error with what its locator may have meant, where that can be said, and what a trial of it left. */
export interface Suggested {
  readonly error: BackstepError;
  /** What the trial did is not rolled back. */
  readonly remains: boolean;
}

/** Looks what a locator that found nothing may have meant, and tries it where that is wanted. The step stays failed. */
export async function suggest(
  error: BackstepError,
  step: OperationStep,
  at: Standing,
  run: RunContext,
): Promise<Suggested> {
  const { healing, mask } = run;
  const unchanged = { error, remains: false };
  // What may be missing is meant to be, and what ends the run leaves no time.
  const asked = step.optional !== true && step.onFail !== "skip" && run.ending !== true;
  if (healing === undefined || !asked || !foundNothing(error) || run.deadline.passed) return unchanged;
  const about = healingStep(step, at, fill(step.input, at.scope));
  if (about === undefined) return unchanged;
  const deadline = run.deadline.within(LOOK);
  const candidate = await healing.candidate(about, { session: run.session, app: at.app, deadline });
  if (candidate === undefined) return unchanged;
  if ("refused" in candidate) {
    const { refused, reason } = candidate;
    const said = healing.proves ? `Nothing is suggested in its place: ${reason}.` : undefined;
    return { error: withMore(error, said, { no_suggestion: { refused, reason } }), remains: false };
  }
  const trial = healing.proves ? await tryCandidate(candidate, step, at, run) : undefined;
  const suggestion = trial === undefined ? candidate : healing.judge(about, candidate, trial, mask);
  return { error: withSuggestion(error, suggestion), remains: trial?.remains === true };
}

function withSuggestion(error: BackstepError, suggestion: Suggestion): BackstepError {
  return withMore(error, sentenceOf(suggestion), { suggestion: jsonOf(suggestion) });
}

function withMore(
  error: BackstepError,
  said: string | undefined,
  more: { readonly [key: string]: Json },
): BackstepError {
  const { code, message, place, cause } = error;
  const hint = [said, error.hint].filter((one) => one !== undefined).join(" ");
  return new BackstepError(code, message, {
    cause: cause ?? error,
    ...(hint === "" ? {} : { hint }),
    ...(place === undefined ? {} : { place }),
    details: { ...error.details, ...more },
  });
}

function sentenceOf({ to, score, proof, patch }: Suggestion): string {
  return [
    `Did you mean ${to}? It is most like what this step found before (${Math.round(score * 100)} %).`,
    ...(proof === undefined ? [] : [`It is ${proof.verdict}: ${proof.reason}.`]),
    ...(patch === undefined ? [] : [`The patch is ${patch}: see \`backstep heal\`.`]),
  ].join(" ");
}

function jsonOf({ reasons, proof, ...rest }: Suggestion): Json {
  return { ...rest, reasons: [...reasons], ...(proof === undefined ? {} : { proof: { ...proof } }) };
}
