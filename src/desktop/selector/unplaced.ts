import type { Condition, Selector, Step } from "./ast.ts";
import { asksWhatShows } from "./match.ts";

/**
 * The same selector without what only a place tells: everything that it matches, and perhaps more, whatever shows. What is
 * counted among what shows is counted no more. Undefined: that cannot be left out without asking of others.
 */
export function withoutPlaces(selector: Selector): Selector | undefined {
  if (!asksWhatShows(selector)) return selector;
  const paths = selector.paths.map(({ steps }) => {
    const bare = steps.map(bareStep);
    const all = bare.flatMap((step) => step ?? []);
    return all.length === steps.length ? { steps: all } : undefined;
  });
  const all = paths.flatMap((path) => path ?? []);
  return all.length === paths.length ? { paths: all } : undefined;
}

/**
 * What is counted on the way to a match among what shows, each as a selector without places: `A` of `A:visible:nth(2) B`. They are
 * asked too, since what is around a match is and what is beside that is not.
 */
export function countedOnTheWay(selector: Selector): Selector[] {
  return selector.paths.flatMap(({ steps }) =>
    steps.slice(0, -1).flatMap(({ conditions }, at) => {
      const counts = conditions.some(isShown) && conditions.some(({ kind }) => kind === "nth");
      const way = counts ? withoutPlaces({ paths: [{ steps: steps.slice(0, at + 1) }] }) : undefined;
      return way === undefined ? [] : [way];
    })
  );
}

function bareStep(step: Step): Step | undefined {
  const { conditions } = step;
  if (conditions.some((one) => "selector" in one && asksWhatShows(one.selector))) return undefined;
  if (!conditions.some(isShown)) return step;
  return { ...step, conditions: conditions.filter((one) => !isShown(one) && one.kind !== "nth") };
}

function isShown(condition: Condition): boolean {
  return condition.kind === "state" && (condition.word === "visible" || condition.word === "hidden");
}
