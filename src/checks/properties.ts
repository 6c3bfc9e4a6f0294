import { z } from "zod";
import { hasMarks, withoutMarks } from "../base/text-marks.ts";
import { stateNames, type StateWord } from "../desktop/state-words.ts";
import { Expectation, type Value } from "./expectation.ts";
import { unmet } from "./unmet.ts";
import { inCommon } from "./alike.ts";
import { quoted } from "./words.ts";

const STATES: Readonly<Partial<Record<StateWord, string>>> = {
  enabled: "It can be used.",
  visible: "It can be seen.",
  focused: "It has the keyboard's focus.",
  checked: "A box, a switch or a toggle button is on.",
  pressed: "A button is down.",
  expanded: "What it opens is open.",
  editable: "Its text can be changed.",
  active: "Its window is in front.",
};

/** A flag for each state word: what `:enabled` asks in a selector, `enabled: true` asks here. */
const states = stateFlags();

/** What can be expected of an element. */
export const expectations = {
  exists: z.boolean().optional().describe("true: something matches; false: nothing matches."),
  count: Expectation.optional().describe("The number of matches: 3, or { at_least: 2 }."),
  role: z.string().min(1).optional().describe("A role word or an AX role."),
  title: Expectation.optional().describe("Its name."),
  description: Expectation.optional().describe("Its accessible description."),
  value: Expectation.optional().describe("Its value: see `value`."),
  text: Expectation.optional().describe("Its text, or its name when it has none."),
  contains_text: z.union([z.string().min(1), z.strictObject({ not: z.string().min(1) })]).optional()
    .describe("A text that it or an element in it shows; with { not: … } a text that nothing in it shows."),
  ...states,
};
const Expectations = z.strictObject(expectations);
export type Expectations = z.infer<typeof Expectations>;

function stateFlags(): Record<StateWord, z.ZodOptional<z.ZodBoolean>>;
function stateFlags(): object {
  return Object.fromEntries(stateNames.map((word) => {
    const says = STATES[word] ?? `It is ${word}.`;
    return [word, z.boolean().optional().describe(says)] as const;
  }));
}

/** One thing that is not as expected: the shape that the tool specification gives it. */
export interface Failure {
  readonly property: string;
  readonly expected: Expectation;
  /** As it was seen last. */
  readonly actual: Value;
  /** For people: `value is "Bob", expected "Ada"`. */
  readonly sentence: string;
}

/** One element as an assertion asks for it; each is read when it is compared. */
export interface Seen {
  has(state: StateWord): boolean;
  readonly role: Value;
  /** Is it of this role? Throws `invalid` for a role that does not exist. */
  isRole(role: string): boolean;
  readonly title: Value;
  readonly description: Value;
  readonly value: Value;
  readonly text: Value;
  /** Every text that it and what is in it show. */
  readonly shown: readonly string[];
}

/**
 * What of the expectations does not hold of `count` elements, of which `one` is asked; empty: all do. Without a word
 * about being there, it is to be there, and to be one as far as anything of it is asked.
 */
export function judge(expected: Expectations, count: number, one: Seen | undefined): Failure[] {
  const failed: Failure[] = [];
  const check = (property: string, wanted: Expectation | undefined, actual: () => Value) => {
    if (wanted === undefined) return;
    const seen = actual();
    const why = unmet(wanted, seen);
    if (why !== undefined) fail(property, wanted, seen, why);
  };
  const fail = (property: string, wanted: Expectation, actual: Value, why: string) => {
    failed.push({ property, expected: wanted, actual, sentence: `${property} is ${quoted(actual)}, ${why}` });
  };
  check("count", expected.count, () => count);
  const ofOne = Object.entries(expected)
    .some(([property, wanted]) => wanted !== undefined && property !== "exists" && property !== "count");
  const exists = expected.exists ?? (ofOne || expected.count === undefined ? true : undefined);
  check("exists", exists, () => count > 0);
  if (!ofOne || count === 0) return failed;
  if (one === undefined) {
    fail("count", 1, count, "expected 1: only one element can be compared");
    return failed;
  }
  for (const state of stateNames) check(state, expected[state], () => one.has(state));
  const { role, contains_text } = expected;
  if (role !== undefined && !one.isRole(role)) fail("role", role, one.role, `expected ${quoted(role)}`);
  check("title", expected.title, () => one.title);
  check("description", expected.description, () => one.description);
  check("value", expected.value, () => one.value);
  check("text", expected.text, () => one.text);
  if (contains_text !== undefined) failed.push(...judgeShown(contains_text, one.shown));
  return failed;
}

function judgeShown(expected: string | { readonly not: string }, shown: readonly string[]): Failure[] {
  const wanted = typeof expected === "string" ? expected : expected.not;
  const found = shown.filter((text) => (hasMarks(wanted) ? text : withoutMarks(text)).includes(wanted));
  if (typeof expected === "string" ? found.length > 0 : found.length === 0) return [];
  const sentence = typeof expected === "string"
    ? `it shows ${shownTexts(nearestFirst(shown, wanted))}, expected ${quoted(wanted)}`
    : `it shows ${shownTexts(found)}, expected nothing with ${quoted(wanted)}`;
  const actual = (typeof expected === "string" ? shown : found).join(" | ").slice(0, 300);
  return [{ property: "contains_text", expected, actual, sentence: `contains_text is not met: ${sentence}` }];
}

/** Texts, those first that are like what was looked for. */
function nearestFirst(shown: readonly string[], wanted: string): string[] {
  const like = (text: string) =>
    inCommon(text.slice(0, MOST_ALIKE).toLowerCase(), wanted.slice(0, MOST_ALIKE).toLowerCase());
  return shown.slice(0, MOST_RANKED).map((text) => ({ text, like: like(text) })).sort((a, b) =>
    b.like - a.like
  ).map(({ text }) => text);
}

/** Texts that are compared for likeness. */
const MOST_RANKED = 1_000;
/** Characters of two texts that are compared for likeness. */
const MOST_ALIKE = 200;

/** The first texts of an element, each in quotes. */
function shownTexts(shown: readonly string[]): string {
  if (shown.length === 0) return "no text";
  const first = shown.slice(0, 5).map((text) => quoted(text.slice(0, 80))).join(", ");
  return shown.length > 5 ? `${first} and ${shown.length - 5} more` : first;
}
