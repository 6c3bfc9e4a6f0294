import { closest } from "../../base/closest.ts";
import { BackstepError, type Json } from "../../base/error.ts";
import { cut, describeAncestors, describeRow } from "../describe.ts";
import type { Condition, Selector } from "../selector/ast.ts";
import { quote } from "../quote.ts";
import type { ReadSelector, StageName } from "../selector/strategies.ts";
import { writeUiPath } from "../selector/ui-path.ts";
import type { Snapshot } from "../snapshot.ts";
import { rowHas } from "../state-words.ts";
import { isInteractive, typeMeans, wordOf } from "../vocabulary.ts";
import { type RoleInfo, roleOf } from "../roles.ts";
import { besideHint, type Range } from "./beside-hint.ts";
import type { Unmet } from "./condition.ts";

/** How many elements an error lists. */
export const LISTED = 5;

/** Where a locator looked, for its errors. */
export interface Search {
  readonly read: ReadSelector;
  readonly snapshot: Snapshot;
  /** Row of the root, -1 for everything. */
  readonly scope: number;
  readonly tried: readonly StageName[];
  /** Milliseconds. */
  readonly waited: number;
}

/** Characters of a path that an error lists: a part of one finds nothing. */
const MOST_PATH = 1_000;

/** A row as an error shows it; `query` finds it, and nothing else, while the interface stays as it is. */
export function listed(snapshot: Snapshot, row: number): { [key: string]: Json } {
  const query = writeUiPath(snapshot, row);
  return {
    role: wordOf(snapshot, row),
    name: cut(snapshot.name(row), 80),
    path: describeAncestors(snapshot, row),
    ...(query.length > MOST_PATH ? {} : { query }),
  };
}

/** "after 5 s", or nothing when there was no waiting. */
export function after(waited: number): string {
  if (waited < 100) return "";
  return ` after ${
    waited < 1_000 ? `${Math.round(waited)} ms` : `${(waited / 1_000).toFixed(1).replace(/\.0$/, "")} s`
  }`;
}

/** Two or more elements match: both are listed. */
export function ambiguous(search: Search, rows: readonly number[]): BackstepError {
  const { read, snapshot } = search;
  const shown = rows.slice(0, LISTED);
  const lines = shown.map((row, k) =>
    `\n  ${k + 1}. ${describeRow(snapshot, row)} in ${describeAncestors(snapshot, row)}`
  );
  const more = rows.length > shown.length ? `\n  and ${rows.length - shown.length} more` : "";
  const visible = rows.filter((row) => rowHas(snapshot, row, "visible")).length;
  return new BackstepError(
    "ambiguous",
    `Cannot find one element for ${shownText(read)}: ${rows.length} match${lines.join("")}${more}`,
    {
      hint: visible === 1
        ? "Only one of them is visible: add :visible."
        : "Add an ancestor (dialog button[…]), another attribute, or a position such as :nth(1) to the selector.",
      details: {
        selector: cut(read.text, 500),
        matches: rows.length,
        elements: shown.map((row) => listed(snapshot, row)),
      },
    },
  );
}

/** Nothing matches: what was there instead. */
export function notFound(search: Search): BackstepError {
  const { read, snapshot, scope, tried, waited } = search;
  const near = nearest(search);
  const searched = scope < 0 ? snapshot.size : snapshot.end(scope) - scope - 1;
  const where = scope < 0 ? quote(cut(snapshot.origin.application.name, 80)) : describeRow(snapshot, scope);
  const incomplete = snapshot.origin.cut.length > 0
    ? ` (the tree was cut: ${snapshot.origin.cut.join(", ")})`
    : "";
  return new BackstepError(
    "not_found",
    `Cannot find ${shownText(read)}: nothing matches${
      after(waited)
    } among ${searched} elements of ${where}${incomplete}`,
    {
      hint: [
        captionHint(search),
        besideHint(snapshot, lastConditions(read), rangeOf(search)),
        nearHint(snapshot, near),
      ].filter((text) => text !== "").join(" "),
      details: {
        selector: cut(read.text, 500),
        searched,
        tried: [...tried],
        nearest: near.map((row) => listed(snapshot, row)),
        cut: [...snapshot.origin.cut],
      },
    },
  );
}

function nearHint(snapshot: Snapshot, near: readonly number[]): string {
  if (near.length === 0) return "Run `backstep tree` to see what is there.";
  const there = near.map((row) => describeRow(snapshot, row)).join(", ");
  return `There is ${there}. Run \`backstep tree\` to see all.`;
}

/** A field that is looked for by its caption: how that is said. "" where no caption has the name. */
function captionHint(search: Search): string {
  const { read, snapshot } = search;
  const { type, name } = wanted(read);
  if (type === undefined || name === undefined || name === "") return "";
  const plain = (text: string) => (text.endsWith(":") ? text.slice(0, -1) : text).trim().toLowerCase();
  const { from, to } = rangeOf(search);
  for (let row = from; row < to; row++) {
    if (wordOf(snapshot, row) !== "label" || plain(snapshot.name(row)) !== plain(name)) continue;
    const caption = quote(cut(snapshot.name(row), 80));
    return `A label is called ${caption}: what it labels is ${type}:labelled-by(${caption}), what stands in its row ` +
      `${type}:in-row(${caption}).`;
  }
  return "";
}

/** It is there, and not ready. */
export function notActionable(search: Search, unmet: Unmet): BackstepError {
  const { read, waited } = search;
  return new BackstepError(
    "not_actionable",
    `Cannot use ${shownText(read)}: ${unmet.sentence}${after(waited)}`,
    {
      hint: HINTS[unmet.condition] ?? "Run `backstep explain` with this selector.",
      details: { selector: cut(read.text, 500), condition: unmet.condition, ...unmet.details },
    },
  );
}

const HINTS: Readonly<Partial<Record<Unmet["condition"], string>>> = {
  visible: "Open what hides it first: a tab, a menu, a collapsed section.",
  enabled: "Do first what the application asks for before it enables this.",
  stable: "It moves all the time; wait for what moves it to end.",
  in_view: "Scroll it into view first.",
  uncovered: "Close or move what covers it.",
};

function shownText(read: ReadSelector): string {
  return cut(read.text, 200);
}

/** What the query wanted, as far as it says: the type and name of its last step. */
function wanted(read: ReadSelector): { type: string | undefined; name: string | undefined } {
  for (const stage of read.stages) {
    if ("skip" in stage || stage.name === "semantic") continue;
    const found = lastStep(stage.selector);
    if (found.type !== undefined || found.name !== undefined) return found;
  }
  return { type: undefined, name: undefined };
}

/** What the last step of the query asks for, as far as it is a selector. */
function lastConditions(read: ReadSelector): readonly Condition[] {
  for (const stage of read.stages) {
    if ("skip" in stage || stage.name === "semantic") continue;
    return stage.selector.paths[0]?.steps.at(-1)?.conditions ?? [];
  }
  return [];
}

function rangeOf({ snapshot, scope }: Pick<Search, "snapshot" | "scope">): Range {
  return scope < 0 ? { from: 0, to: snapshot.size } : { from: scope + 1, to: snapshot.end(scope) };
}

function lastStep(selector: Selector): { type: string | undefined; name: string | undefined } {
  let type: string | undefined, name: string | undefined;
  for (const condition of selector.paths[0]?.steps.at(-1)?.conditions ?? []) {
    if (condition.kind === "type") type = condition.type;
    if (condition.kind === "hasText") name ??= condition.value;
    if (condition.kind === "attribute" && condition.test.kind === "string") name ??= condition.test.value;
  }
  return { type, name };
}

const WINDOWS: ReadonlySet<string> = new Set(["window", "dialog"]);

/** The nearest elements by name and role: the same name in another role, a like name in the same role, a like name. */
export function nearest(search: Pick<Search, "read" | "snapshot" | "scope">): number[] {
  const { read, snapshot } = search;
  const { type, name } = wanted(read);
  const { from, to } = rangeOf(search);
  // Who looks for a window may mean one that is a dialog.
  const isMeant = (info: RoleInfo) =>
    type !== undefined &&
    (typeMeans(type, info) || (WINDOWS.has(info.word) && WINDOWS.has(type.toLowerCase())));
  const sameRole: number[] = [];
  const others: number[] = [];
  for (let row = from; row < to; row++) {
    if (snapshot.name(row) === "") continue;
    const info = roleOf(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row));
    if (isMeant(info)) sameRole.push(row);
    else if (type === undefined || isInteractive(info.word)) others.push(row);
  }
  const found: number[] = [];
  if (name !== undefined && name !== "") {
    const lower = name.toLowerCase();
    for (const rows of [sameRole, others]) {
      found.push(...rows.filter((row) => snapshot.name(row).toLowerCase() === lower));
      const names = new Set(
        rows.map((row) => snapshot.name(row)).filter((n) => n.length <= 3 * name.length + 10),
      );
      const near = new Set(closest(name, names, LISTED));
      found.push(...rows.filter((row) => near.has(snapshot.name(row))));
      found.push(...rows.filter((row) => snapshot.name(row).toLowerCase().includes(lower)));
    }
  }
  // With nothing alike, what there is of that role says more than nothing.
  if (found.length === 0) found.push(...sameRole);
  return [...new Set(found)].slice(0, LISTED);
}
