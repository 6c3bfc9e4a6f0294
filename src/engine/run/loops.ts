import { BackstepError, type Json, type Place } from "../../base/error.ts";
import { holds } from "../model/condition.ts";
import type { ForEachStep, RepeatStep } from "../model/step.ts";
import { fill } from "../model/fill.ts";
import { decide } from "./decisions.ts";
import type { Standing } from "./standing.ts";
import type { RunContext } from "./run-context.ts";

/** Turns of a loop at most: a bound, not an aim. */
export const MOST_TURNS = 10_000;
/** Turns of `repeat: { until: … }` without `times`. */
const UNTIL_TURNS = 100;
/** So many turns, or until the condition holds; the paths of turn n are `<path>[n].<k>`. */
export async function repeat(step: RepeatStep, at: Standing, run: RunContext): Promise<void> {
  const most = step.times === undefined ? UNTIL_TURNS : turns(fill(step.times, at.scope), step.place);
  for (let turn = 1; turn <= most; turn++) {
    await run.flow(step.steps, `${at.path}[${turn}].`, at, run);
    // It may name what the turn answered, so it is asked after it.
    const { until } = step;
    const ends = () => until ? holds(until, at.scope, run, at.app) : Promise.resolve(false);
    if (until && await decide(`${at.path}[${turn}]`, "until", run, ends)) return;
  }
  if (!step.until) return;
  throw new BackstepError(
    "assertion",
    `Cannot repeat until the condition holds: it did not after ${most} turns`,
    { place: step.place, hint: "Give it more `times`, or let its condition wait with `within`." },
  );
}

function turns(value: Json, place: Place): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST_TURNS) return value;
  throw new BackstepError(
    "workflow",
    `Cannot repeat ${
      JSON.stringify(value).slice(0, 60)
    } times: a whole number from 0 to ${MOST_TURNS} is needed`,
    { place },
  );
}

/** One turn for each item, which its steps see under the loop's name. */
export async function forEach(step: ForEachStep, at: Standing, run: RunContext): Promise<void> {
  const list = fill(step.in, at.scope);
  if (!Array.isArray(list)) {
    throw new BackstepError("workflow", `Cannot go through "in": it is ${kindOf(list)}, not a list`, {
      place: step.place,
    });
  }
  if (list.length > MOST_TURNS) {
    throw new BackstepError("limit", `Cannot go through ${list.length} items: ${MOST_TURNS} are the most`, {
      place: step.place,
    });
  }
  for (const [index, item] of list.entries()) {
    const scope = at.scope.with(step.as, item);
    await run.flow(step.steps, `${at.path}[${index + 1}].`, { ...at, scope }, run);
  }
}

function kindOf(value: Json): string {
  return value === null ? "nothing" : typeof value === "object" ? "a map" : `a ${typeof value}`;
}
