import { BackstepError, type Json } from "../../base/error.ts";
import { cut, describeAncestors, describeRow } from "../describe.ts";
import { quote } from "../quote.ts";
import type { ReadSelector, StageName } from "../selector/strategies.ts";
import { writeUiPath } from "../selector/ui-path.ts";
import type { Snapshot } from "../snapshot.ts";
import { rowHas } from "../state-words.ts";
import { wordOf } from "../vocabulary.ts";
import type { Unmet } from "./condition.ts";
import { instead, type Where } from "./instead.ts";

/** How many elements an error lists. */
export const LISTED = 5;

/** Where a locator looked, for its errors. */
export interface Search extends Where {
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
  const { near, hint } = instead(search);
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
      hint,
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

/** It is there, and not ready. */
export function notActionable(search: Search, unmet: Unmet): BackstepError {
  const { read, waited } = search;
  return new BackstepError(
    "not_actionable",
    `Cannot use ${shownText(read)}: ${unmet.sentence}${after(waited)}`,
    {
      hint: unmet.hint ?? HINTS[unmet.condition] ?? "Run `backstep explain` with this selector.",
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
