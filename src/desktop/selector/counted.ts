import type { Condition, Selector } from "./ast.ts";

/** The same selector without what counts: everything among which it counts, on the way too. */
export function withoutCounting(selector: Selector): Selector {
  return {
    paths: selector.paths.map(({ steps }) => ({
      steps: steps.map((step) => ({
        ...step,
        conditions: step.conditions.filter(({ kind }) => kind !== "nth"),
      })),
    })),
  };
}

/** Does it count, where it does, from the first in the order of the tree, and only what is meant? Then what comes later decides nothing. */
export function countsFromTheFirst({ paths }: Selector): boolean {
  const [path] = paths;
  if (path === undefined || paths.length > 1) return false;
  return path.steps.every(({ conditions }, at) => {
    const last = at === path.steps.length - 1;
    return !conditions.some(({ kind }) => kind === "layout") &&
      conditions.filter(isCount).every((one) => last && one.n > 0 && one.among === "matches");
  }) && path.steps.some(({ conditions }) => conditions.some(isCount));
}

function isCount(condition: Condition): condition is Extract<Condition, { kind: "nth" }> {
  return condition.kind === "nth";
}
