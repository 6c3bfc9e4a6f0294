import { z } from "zod";
import { readQuantity } from "./number.ts";

/** What a property of an element can be; null: it has none. */
export type Value = string | number | boolean | null;

const scalar = z.union([z.string().max(100_000), z.number(), z.boolean()]);
const quantity = z.union([z.number(), z.string().min(1).max(60)]).refine(
  (bound) => typeof bound === "number" || typeof readQuantity(bound) !== "string",
  { message: 'A bound is a number, or one with its unit: 40, "40 %"' },
);
const text = z.string().max(100_000);

const tests = {
  equals: scalar.optional(),
  contains: text.optional(),
  starts_with: text.optional(),
  ends_with: text.optional(),
  regex: z.string().max(1_000).optional().describe("An RE2 expression that matches anywhere."),
  above: quantity.optional().describe("A larger number than this."),
  below: quantity.optional().describe("A smaller number than this."),
  at_least: quantity.optional(),
  at_most: quantity.optional(),
  between: z.tuple([quantity, quantity]).optional().describe("From, to; both belong to it."),
  gt: z.number().optional().describe("The same as above."),
  gte: z.number().optional().describe("The same as at_least."),
  lt: z.number().optional().describe("The same as below."),
  lte: z.number().optional().describe("The same as at_most."),
};
const NAMES = "equals, contains, starts_with, ends_with, regex, above, below, at_least, at_most or between";
const saysSomething = (given: object) => Object.values(given).some((test) => test !== undefined);

const Positive = z.strictObject(tests).refine(saysSomething, {
  message: `Say what it must not be: ${NAMES}`,
});

/** What a value is expected to be: itself, or comparisons that all hold. */
export const Expectation = z.union([
  scalar,
  z.strictObject({
    ...tests,
    not: z.union([scalar, Positive]).optional().describe("Anything but this: a value, or comparisons."),
  }).refine(saysSomething, { message: `Say what to compare with: ${NAMES}, or not` }),
]).describe("A value that it equals, or a map of comparisons that all hold.");
export type Expectation = z.infer<typeof Expectation>;
/** Comparisons that all hold. */
export type Comparison = Exclude<Expectation, string | number | boolean>;
