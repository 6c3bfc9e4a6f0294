import { closest } from "../../base/closest.ts";
import { cut, describeRow } from "../describe.ts";
import { quote } from "../quote.ts";
import { roleOf } from "../roles.ts";
import type { Condition } from "../selector/ast.ts";
import { compileBeside } from "../selector/beside.ts";
import type { Snapshot } from "../snapshot.ts";
import { typeMeans, wordOf } from "../vocabulary.ts";

/** Names that a hint lists. */
const LISTED = 3;

/** A range of rows. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Why nothing is of this type beside what has this name, or labelled by it: another type is; nothing has exactly this name; or the
 * application relates nothing to it. "" where the conditions say nothing of it.
 */
export function besideHint(
  snapshot: Snapshot,
  conditions: readonly Condition[],
  { from, to }: Range,
): string {
  const beside = conditions.find((one) => one.kind === "beside");
  if (beside === undefined) return "";
  const { how, name } = beside;
  const written = `:${how}(${quote(cut(name, 80))})`;
  const rows = Array.from({ length: to - from }, (_, k) => from + k);
  const called = rows.filter((row) => snapshot.name(row) === name);
  if (called.length === 0) {
    const near = closest(
      name,
      new Set(rows.map((row) => snapshot.name(row)).filter((one) => one !== "")),
      LISTED,
    );
    const instead = near.length === 0
      ? ""
      : `; there is ${near.map((one) => quote(cut(one, 80))).join(", ")}`;
    return `Nothing is called exactly ${quote(cut(name, 80))}${instead}.`;
  }
  const type = conditions.find((one) => one.kind === "type")?.type;
  const stands = compileBeside(how, name, snapshot);
  const found = rows.filter((row) => stands(row) && wordOf(snapshot, row) !== "label");
  const [first] = found;
  if (type === undefined || first === undefined || found.some((row) => isOf(snapshot, row, type))) {
    return how === "labelled-by" && first === undefined ? notRelated(name) : "";
  }
  const inside = rows.find((row) => row > first && row < snapshot.end(first) && isOf(snapshot, row, type));
  const what = `What ${written} means is ${describeRow(snapshot, first)}`;
  if (inside === undefined) return `${what}, no ${type}.`;
  return `${what}; the ${type} in it is ${wordOf(snapshot, first)}${written} ${type}.`;
}

function notRelated(name: string): string {
  return `The application does not tell what ${quote(cut(name, 80))} labels: try :in-row(${
    quote(cut(name, 80))
  }).`;
}

function isOf(snapshot: Snapshot, row: number, type: string): boolean {
  return typeMeans(type, roleOf(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row)));
}
