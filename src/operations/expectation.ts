import { z } from "zod";
import { compileRegex } from "../base/regex.ts";
import type { Value } from "./value-of.ts";

const scalar = z.union([z.string().max(100_000), z.number(), z.boolean()]);

/** What a value is expected to be: itself, or a comparison. */
export const Expectation = z.union([
  scalar,
  z.strictObject({
    equals: scalar.optional(),
    not: scalar.optional().describe("Anything but this."),
    contains: z.string().max(100_000).optional(),
    regex: z.string().max(1_000).optional().describe("An RE2 expression that matches anywhere."),
    gt: z.number().optional(),
    gte: z.number().optional(),
    lt: z.number().optional(),
    lte: z.number().optional(),
  }).refine((tests) => Object.values(tests).some((test) => test !== undefined), {
    message: "Say what to compare with: equals, not, contains, regex, gt, gte, lt or lte",
  }),
]).describe("A value that it equals, or a map of comparisons that all hold.");
export type Expectation = z.infer<typeof Expectation>;

/**
 * Does a value meet an expectation? "5" and 5 are the same here, as are "true" and true: tools pass every value as a
 * string. Throws `invalid` for a regular expression that cannot be.
 *
 * @example
 * ```ts
 * import { meets } from "./expectation.ts";
 * if (!meets({ gte: 2, lt: 5 }, 3) || meets({ contains: "x" }, "abc")) throw new Error();
 * ```
 */
export function meets(expected: Expectation, actual: Value): boolean {
  if (typeof expected !== "object") return same(expected, actual);
  const text = actual === null ? "" : String(actual);
  const number = typeof actual === "string" && actual.trim() === "" || actual === null ? NaN : Number(actual);
  const { equals, not, contains, regex, gt, gte, lt, lte } = expected;
  return (equals === undefined || same(equals, actual)) &&
    (not === undefined || !same(not, actual)) &&
    (contains === undefined || text.includes(contains)) &&
    (regex === undefined || compileRegex(regex).test(text)) &&
    (gt === undefined || number > gt) &&
    (gte === undefined || number >= gte) &&
    (lt === undefined || number < lt) &&
    (lte === undefined || number <= lte);
}

function same(expected: string | number | boolean, actual: Value): boolean {
  if (actual === null) return expected === "";
  if (typeof expected === "number" && typeof actual === "string") {
    return actual.trim() !== "" && Number(actual) === expected;
  }
  return expected === actual || String(expected) === String(actual);
}
