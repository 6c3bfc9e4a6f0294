import type { Expectation } from "./expectation.ts";

/** Characters of a value in a sentence. */
const MOST = 200;

/** A value for a sentence: text of an application stands in quotes, escaped and cut. */
export function quoted(value: string | number | boolean | null): string {
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > MOST ? `${value.slice(0, MOST - 1)}…` : value);
}

/**
 * An expectation as words that follow "expected": `"Ada"`, `to start with "Ad"`, `at least 40`.
 *
 * @example
 * ```ts
 * import { expectedWords } from "./words.ts";
 * if (expectedWords({ between: [1, 5], not: 3 }) !== "between 1 and 5 and not 3") throw new Error();
 * ```
 */
export function expectedWords(expected: Expectation): string {
  if (typeof expected !== "object") return quoted(expected);
  const words: string[] = [];
  const say = (before: string, value: string | number | boolean | undefined) => {
    if (value !== undefined) words.push(`${before}${quoted(value)}`);
  };
  const bound = (before: string, value: string | number | undefined) => {
    if (value !== undefined) words.push(`${before} ${value}`);
  };
  const { equals, contains, starts_with, ends_with, regex, between, not } = expected;
  say("", equals);
  say("to contain ", contains);
  say("to start with ", starts_with);
  say("to end with ", ends_with);
  if (regex !== undefined) words.push(`to match /${regex.slice(0, MOST)}/`);
  bound("above", expected.above ?? expected.gt);
  bound("below", expected.below ?? expected.lt);
  bound("at least", expected.at_least ?? expected.gte);
  bound("at most", expected.at_most ?? expected.lte);
  if (between !== undefined) words.push(`between ${between[0]} and ${between[1]}`);
  if (not !== undefined) words.push(`not ${expectedWords(not)}`);
  return words.join(" and ");
}
