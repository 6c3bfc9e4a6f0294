import { quote } from "../quote.ts";
import type { Condition, Path, Selector, StringTest } from "./ast.ts";

/** A selector in the CSS-like form; reading it again gives the same selector. */
export function printSelector(selector: Selector): string {
  return selector.paths.map((path) => printPath(path)).join(", ");
}

function printPath(path: Path): string {
  return path.steps.map((step, k) => {
    const text = printCompound(step.conditions);
    if (step.combinator === "child") return k === 0 ? `> ${text}` : ` > ${text}`;
    return k === 0 ? text : ` ${text}`;
  }).join("");
}

function printCompound(conditions: readonly Condition[]): string {
  const [first] = conditions;
  // A type can only be written at the front; elsewhere it is the same to ask whether it "is" that type.
  return (first === undefined ? "*" : "") +
    conditions.map((c, k) => c.kind === "type" && k > 0 ? `:is(${c.type})` : printCondition(c)).join("");
}

function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case "type":
      return condition.type;
    case "attribute":
      return `[${condition.name}${printTest(condition.test)}]`;
    case "present":
      return `[${condition.name}]`;
    case "state":
      return `:${condition.word}`;
    case "hasText":
      return `:has-text(${quote(condition.value)})`;
    case "beside":
      return `:${condition.how}(${quote(condition.name)})`;
    case "layout": {
      const { direction, selector, distance } = condition;
      return `:${direction}(${printSelector(selector)}${distance === undefined ? "" : `, ${distance}`})`;
    }
    case "nth":
      return `:nth${condition.among === "siblings" ? "-sibling" : ""}(${condition.n})`;
    case "has":
    case "is":
    case "not":
      return `:${condition.kind}(${printSelector(condition.selector)})`;
    case "root":
      return ":root";
  }
}

function printTest(test: StringTest): string {
  if (test.kind === "regex") {
    return `=/${test.source.replace(/\\[^]|\//g, (found) => found === "/" ? "\\/" : found)}/${test.flags}`;
  }
  return `${test.op}${quote(test.value)}${test.ignoreCase ? " i" : ""}`;
}
