import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import { roleOf } from "../desktop/roles.ts";
import { axOf, canonicalType, nearTypes, typeMeans } from "../desktop/vocabulary.ts";
import { rowHas, type StateWord } from "../desktop/state-words.ts";
import { itemName } from "../desktop/hands/items.ts";
import { Expectation, meets } from "./expectation.ts";
import { infoOf, infoText } from "./element-info.ts";
import type { Look } from "./target.ts";
import { type Value, valueOf } from "./value-of.ts";

/** What can be expected of an element. */
export const expectations = {
  exists: z.boolean().optional().describe("Anything matches, or nothing does."),
  count: Expectation.optional().describe("How many elements match."),
  enabled: z.boolean().optional(),
  focused: z.boolean().optional(),
  visible: z.boolean().optional(),
  checked: z.boolean().optional(),
  selected: z.boolean().optional(),
  expanded: z.boolean().optional(),
  role: z.string().min(1).optional().describe("A role word or an AX role."),
  title: Expectation.optional().describe("Its name."),
  value: Expectation.optional().describe("What it holds: see `value`."),
  text: Expectation.optional().describe("Its text, or its name when it has none."),
  contains_text: z.string().min(1).optional().describe("A text that it or anything in it shows."),
};
const Expectations = z.strictObject(expectations);
export type Expectations = z.infer<typeof Expectations>;

/** One thing that is not as expected. */
export interface Failure {
  readonly property: string;
  readonly expected: Expectation;
  readonly actual: Value;
}

const STATES = [
  "enabled",
  "focused",
  "visible",
  "checked",
  "selected",
  "expanded",
] as const satisfies StateWord[];

/** What of the expectations does not hold in one look; empty: all do. */
export async function failures(context: Context, now: Look, expected: Expectations): Promise<Failure[]> {
  const count = now.rows.length;
  const failed: Failure[] = [];
  const check = (property: string, wanted: Expectation, actual: Value) => {
    if (!meets(wanted, actual)) failed.push({ property, expected: wanted, actual });
  };
  if (expected.count !== undefined) check("count", expected.count, count);
  const ofOne = Object.entries(expected)
    .filter(([property, wanted]) => wanted !== undefined && property !== "exists" && property !== "count");
  const exists = expected.exists ?? (ofOne.length > 0 || expected.count === undefined ? true : undefined);
  if (exists !== undefined && exists !== count > 0) check("exists", exists, count > 0);
  const [row] = now.rows;
  if (ofOne.length === 0 || row === undefined) return failed;
  if (count > 1) {
    check("count", 1, count);
    return failed;
  }
  const { snapshot } = now;
  for (const state of STATES) {
    const wanted = expected[state];
    if (wanted !== undefined) check(state, wanted, rowHas(snapshot, row, state));
  }
  if (expected.role !== undefined && !isRole(now, row, expected.role)) {
    failed.push({ property: "role", expected: expected.role, actual: axOf(snapshot, row).role });
  }
  if (expected.title !== undefined) check("title", expected.title, snapshot.name(row));
  if (expected.value !== undefined) {
    const value = valueOf(snapshot, row);
    check("value", expected.value, value === snapshot.text(row) ? await wholeText(context, now, row) : value);
  }
  if (expected.text !== undefined) check("text", expected.text, await wholeText(context, now, row));
  if (expected.contains_text !== undefined) {
    const shown = await textsBelow(context, now, row);
    if (!shown.some((text) => text.includes(expected.contains_text ?? ""))) {
      const actual = shown.join(" | ").slice(0, 300);
      failed.push({ property: "contains_text", expected: { contains: expected.contains_text }, actual });
    }
  }
  return failed;
}

/** Is it of this role: a word of ours or an AX name? Throws `invalid` for a role that does not exist. */
function isRole({ snapshot }: Look, row: number, wanted: string): boolean {
  const type = canonicalType(wanted);
  if (type === undefined) {
    const near = nearTypes(wanted);
    throw new BackstepError(
      "invalid",
      `Cannot compare with role ${JSON.stringify(wanted)}: there is no such role`,
      {
        ...(near.length > 0 ? { hint: `Did you mean ${near.join(" or ")}?` } : {}),
      },
    );
  }
  const info = roleOf(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row));
  return typeMeans(type, info) || axOf(snapshot, row).role === type;
}

/** The snapshot holds the first thousand characters: what may be longer is read. */
async function wholeText(context: Context, { snapshot }: Look, row: number): Promise<string> {
  const text = snapshot.text(row);
  if (text === undefined) return snapshot.name(row) || itemName(snapshot, row);
  if (text.length < 1_000) return text;
  return (await context.desktop.read(snapshot.element(row), context.deadline.call())).text ?? text;
}

async function textsBelow(context: Context, now: Look, row: number): Promise<string[]> {
  const texts = [await wholeText(context, now, row)];
  for (let r = row; r < now.snapshot.end(row); r++) {
    texts.push(now.snapshot.name(r), now.snapshot.text(r) ?? "");
  }
  return [...new Set(texts.filter((text) => text !== ""))];
}

/** What matched, for messages; at most five. */
export function shown({ snapshot, rows }: Look): string[] {
  return rows.slice(0, 5).map((row) => infoText(infoOf(snapshot, row)));
}
