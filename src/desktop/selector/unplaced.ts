import type { Condition, Selector, Step } from "./ast.ts";
import { asksWhatShows } from "./match.ts";

/**
 * The same selector without what only a place tells: everything that it matches, and perhaps more, whatever shows. What is
 * counted among what shows is counted no more. Undefined: that cannot be left out without asking of others.
 */
export function withoutPlaces(selector: Selector): Selector | undefined {
  if (!asksWhatShows(selector)) return selector;
  const paths = selector.paths.map(({ steps }) => {
    const bare = steps.map((step, at) => bareStep(step, at === steps.length - 1));
    const all = bare.flatMap((step) => step ?? []);
    return all.length === steps.length ? { steps: all } : undefined;
  });
  const all = paths.flatMap((path) => path ?? []);
  return all.length === paths.length ? { paths: all } : undefined;
}

function bareStep(step: Step, last: boolean): Step | undefined {
  const { conditions } = step;
  if (conditions.some((one) => "selector" in one && asksWhatShows(one.selector))) return undefined;
  if (!conditions.some(isShown)) return step;
  // Which of several is meant is told by those that are asked: what is around a match is, what is beside that is not.
  if (!last && conditions.some(({ kind }) => kind === "nth")) return undefined;
  return { ...step, conditions: conditions.filter((one) => !isShown(one) && one.kind !== "nth") };
}

function isShown(condition: Condition): boolean {
  return condition.kind === "state" && (condition.word === "visible" || condition.word === "hidden");
}
