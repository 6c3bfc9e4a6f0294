import type { AttributeName, Condition, Selector } from "./ast.ts";
import { conditionsOf } from "./match.ts";
import type { ReadSelector } from "./strategies.ts";

/** What an element holds, which no mirror does. */
const CONTENTS: ReadonlySet<AttributeName> = new Set(["value", "text"]);

/**
 * The same query without what elements hold: everything that it matches, and perhaps more, each of which can be asked by itself
 * and by what is inside of it. Undefined: what is around an element, or how many there are, decides too.
 */
export function withoutContents(read: ReadSelector): { bare: ReadSelector; selector: Selector } | undefined {
  const [stage, ...more] = read.stages;
  if (stage === undefined || more.length > 0 || "skip" in stage || stage.name === "semantic") {
    return undefined;
  }
  const { selector } = stage;
  if (selector.paths.some(({ steps }) => steps.length > 1)) return undefined;
  const bare = bareOf(selector);
  return bare && { bare: { ...read, stages: [{ ...stage, selector: bare }] }, selector };
}

function bareOf(selector: Selector): Selector | undefined {
  const paths = selector.paths.map(({ steps }) => ({
    steps: steps.map((step) => ({ ...step, conditions: step.conditions.map(bareCondition) })),
  }));
  const bare = paths.map(({ steps }) => ({
    steps: steps.map((step) => ({ ...step, conditions: step.conditions.flatMap((one) => one ?? []) })),
  }));
  const refused = paths.some(({ steps }) => steps.some(({ conditions }) => conditions.includes(undefined)));
  return refused ? undefined : { paths: bare };
}

/** None: it asks what the element holds; undefined: that cannot be left out. */
function bareCondition(condition: Condition): readonly Condition[] | undefined {
  switch (condition.kind) {
    case "attribute":
    case "present":
      return CONTENTS.has(condition.name) ? [] : [condition];
    case "has": {
      const selector = bareOf(condition.selector);
      return selector && [{ ...condition, selector }];
    }
    case "type":
    case "state":
      return [condition];
    default:
      return "selector" in condition && asksContents(condition.selector) || condition.kind === "nth" ||
          condition.kind === "layout" || condition.kind === "beside" || condition.kind === "hasText" ||
          condition.kind === "root"
        ? undefined
        : [condition];
  }
}

function asksContents(selector: Selector): boolean {
  return [...conditionsOf(selector)].some((one) =>
    one.kind === "hasText" || ((one.kind === "attribute" || one.kind === "present") && CONTENTS.has(one.name))
  );
}
