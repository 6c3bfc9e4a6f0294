import { BackstepError } from "../base/error.ts";
import { type Expectations, type Failure, judge, type Seen } from "../checks/properties.ts";
import type { Context } from "../contract/operation.ts";
import { contentIn, contentOf } from "../desktop/content.ts";
import type { SnapshotField } from "../desktop/desktop.ts";
import { itemName } from "../desktop/actions/items.ts";
import { meant } from "../desktop/locator/mod.ts";
import { roleOf } from "../desktop/roles.ts";
import { rowHas } from "../desktop/state-words.ts";
import { axOf, canonicalType, nearTypes, typeMeans } from "../desktop/vocabulary.ts";
import { infoOf, infoText } from "./element-info.ts";
import type { Look } from "./target.ts";
import { valueOf } from "./value-of.ts";

/** What of the expectations does not hold in one look; empty: all do. */
export async function failures(context: Context, now: Look, expected: Expectations): Promise<Failure[]> {
  const rows = meant(now.snapshot, now.rows);
  const [row] = rows;
  const one = row === undefined || rows.length > 1 ? undefined : await seenOf(context, now, row, expected);
  return judge(expected, now.rows.length, one);
}

/** The columns that the value and text of one element, and of what is in it, are made of. */
const CONTENT: readonly SnapshotField[] = ["text", "value", "id", "selection"];

/** The same of a look that has no texts and values: they are asked of the one element that is meant. */
export async function failuresOfKept(
  context: Context,
  now: Look,
  expected: Expectations,
): Promise<Failure[]> {
  const rows = meant(now.snapshot, now.rows);
  const [row] = rows;
  if (row === undefined || rows.length > 1) return judge(expected, now.rows.length, undefined);
  const root = now.snapshot.element(row);
  const snapshot = await context.desktop.snapshot(now.application, {
    ...context.deadline.call(),
    root,
    fields: CONTENT,
  });
  const content = await seenOf(context, { ...now, snapshot, rows: [0] }, 0, expected);
  const own = await seenOf(context, now, row, {});
  const one: Seen = {
    has: own.has,
    isRole: own.isRole,
    text: content.text,
    get role() {
      return own.role;
    },
    get title() {
      return own.title;
    },
    get description() {
      return own.description;
    },
    get value() {
      return content.value;
    },
    get shown() {
      return content.shown;
    },
  };
  return judge(expected, now.rows.length, one);
}

/** A row as assertions ask for it; a long text is read whole where it is asked for. */
async function seenOf(context: Context, now: Look, row: number, expected: Expectations): Promise<Seen> {
  const { snapshot } = now;
  const asked = [expected.value, expected.text, expected.contains_text].some((wanted) =>
    wanted !== undefined
  );
  const text = asked ? await wholeText(context, now, row) : "";
  return {
    has: (state) => rowHas(snapshot, row, state),
    get role() {
      return axOf(snapshot, row).role;
    },
    isRole: (role) => isRole(now, row, role),
    get title() {
      return snapshot.name(row);
    },
    get description() {
      return snapshot.description(row);
    },
    get value() {
      const value = valueOf(snapshot, row);
      return value === snapshot.text(row) ? text : value;
    },
    text,
    get shown() {
      const texts = [text];
      for (let r = row; r < snapshot.end(row); r++) texts.push(snapshot.name(r), snapshot.text(r) ?? "");
      return [...new Set(texts.filter((one) => one !== ""))];
    },
  };
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
  const text = contentIn(snapshot, row) ?? snapshot.text(row);
  if (text === undefined) return snapshot.name(row) || itemName(snapshot, row);
  if (text.length < 1_000) return text;
  return contentOf(await context.desktop.read(snapshot.element(row), context.deadline.call())) ?? text;
}

/** What matched, for messages; at most five. */
export function shown({ snapshot, rows }: Pick<Look, "snapshot" | "rows">): string[] {
  return rows.slice(0, 5).map((row) => infoText(infoOf(snapshot, row)));
}
