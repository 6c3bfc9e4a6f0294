import { compileRegex } from "../base/regex.ts";
import { defined } from "../base/defined.ts";
import { hasMarks, withoutMarks } from "../base/text-marks.ts";
import type { Comparison, Expectation, Value } from "./expectation.ts";
import { readQuantity } from "./number.ts";
import { expectedWords, quoted } from "./words.ts";

/**
 * Why a value does not meet an expectation, as the end of a sentence that begins "it is …": `expected to start with "Ad"`.
 * Undefined: it does. "5" and 5 are the same here, as are "true" and true: tools pass every value as a string. Throws
 * `invalid` for a regular expression that cannot be.
 * Marks of direction in a text are passed over unless the expectation has some.
 *
 * @example
 * ```ts
 * import { unmet } from "./unmet.ts";
 * if (unmet({ at_least: 2, below: 5 }, "3 %") !== undefined) throw new Error();
 * if (unmet({ starts_with: "Ad" }, "Bob") !== 'expected to start with "Ad"') throw new Error();
 * ```
 */
export function unmet(expected: Expectation, actual: Value): string | undefined {
  if (typeof expected !== "object") {
    return same(expected, actual) ? undefined : `expected ${quoted(expected)}${parting(expected, actual)}`;
  }
  const { not, ...positive } = expected;
  const wrong = failing(positive, actual);
  if (
    not !== undefined && (typeof not === "object" ? failing(not, actual).length === 0 : same(not, actual))
  ) {
    wrong.push({ words: `not ${expectedWords(not)}` });
  }
  if (wrong.length === 0) return undefined;
  const words = wrong.map((one) => one.words).join(" and ");
  const why = new Set(wrong.flatMap((one) => one.why ?? []));
  return `expected ${words}${why.size === 0 ? "" : `: ${[...why].join("; ")}`}${
    positive.equals === undefined ? "" : parting(positive.equals, actual)
  }`;
}

interface Wrong {
  readonly words: string;
  readonly why?: string;
}

function failing(expected: Comparison, actual: Value): Wrong[] {
  const { equals, contains, starts_with, ends_with, regex } = expected;
  const text = seen(actual === null ? "" : String(actual), contains, starts_with, ends_with, regex);
  const wrong: Wrong[] = [];
  const check = (test: Comparison, holds: boolean, why?: string) => {
    if (!holds) wrong.push({ words: expectedWords(test), ...defined({ why }) });
  };
  if (equals !== undefined) check({ equals }, same(equals, actual));
  if (contains !== undefined) check({ contains }, text.includes(contains));
  if (starts_with !== undefined) check({ starts_with }, text.startsWith(starts_with));
  if (ends_with !== undefined) check({ ends_with }, text.endsWith(ends_with));
  if (regex !== undefined) check({ regex }, compileRegex(regex).test(text));
  const number = (
    test: Comparison,
    bound: number | string,
    holds: (value: number, bound: number) => boolean,
  ) => {
    const why = compared(actual, bound, holds);
    check(test, why === true, typeof why === "string" ? why : undefined);
  };
  const { above, below, at_least, at_most, between, gt, gte, lt, lte } = expected;
  if (above !== undefined) number({ above }, above, (a, b) => a > b);
  if (gt !== undefined) number({ above: gt }, gt, (a, b) => a > b);
  if (below !== undefined) number({ below }, below, (a, b) => a < b);
  if (lt !== undefined) number({ below: lt }, lt, (a, b) => a < b);
  if (at_least !== undefined) number({ at_least }, at_least, (a, b) => a >= b);
  if (gte !== undefined) number({ at_least: gte }, gte, (a, b) => a >= b);
  if (at_most !== undefined) number({ at_most }, at_most, (a, b) => a <= b);
  if (lte !== undefined) number({ at_most: lte }, lte, (a, b) => a <= b);
  if (between !== undefined) {
    const low = compared(actual, between[0], (a, b) => a >= b);
    const high = compared(actual, between[1], (a, b) => a <= b);
    const why = typeof low === "string" ? low : typeof high === "string" ? high : undefined;
    check({ between }, low === true && high === true, why);
  }
  return wrong;
}

/** Whether a comparison with a bound holds; a text: why they cannot be compared. */
function compared(
  actual: Value,
  bound: number | string,
  holds: (value: number, bound: number) => boolean,
): boolean | string {
  const limit = typeof bound === "number" ? { value: bound, unit: "" } : readQuantity(bound);
  if (typeof limit === "string") return limit;
  if (actual === null) return "it has no value";
  if (typeof actual === "boolean") return `${actual} is no number`;
  const quantity = typeof actual === "number" ? { value: actual, unit: limit.unit } : readQuantity(actual);
  if (typeof quantity === "string") return quantity;
  if (limit.unit !== "" && limit.unit !== quantity.unit) {
    return quantity.unit === "" ? "it has no unit" : `its unit is ${quoted(quantity.unit)}`;
  }
  return holds(quantity.value, limit.value);
}

/** What a text is compared with: without its marks of direction, unless some are asked for. */
function seen(actual: string, ...asked: readonly (string | undefined)[]): string {
  return asked.some((text) => text !== undefined && hasMarks(text)) ? actual : withoutMarks(actual);
}

function same(expected: string | number | boolean, given: Value): boolean {
  const actual = typeof given === "string" ? seen(given, String(expected)) : given;
  if (actual === null) return expected === "";
  if (typeof expected === "number" && typeof actual === "string") {
    return actual.trim() !== "" && Number(actual) === expected;
  }
  return expected === actual || String(expected) === String(actual);
}

/** Where two long texts part: a person does not find one letter in a page. */
function parting(expected: string | number | boolean, actual: Value): string {
  if (typeof expected !== "string" || typeof actual !== "string") return "";
  if (expected.length < 40 || actual.length < 40) return "";
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  const around = (text: string) => quoted(text.slice(Math.max(0, at - 10), at + 20));
  return `; they differ at character ${at + 1}: ${around(actual)} instead of ${around(expected)}`;
}
