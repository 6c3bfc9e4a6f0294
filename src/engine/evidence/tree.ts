import { outline } from "../../desktop/outline.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { wordOf } from "../../desktop/vocabulary.ts";
import { MASK, type Mask } from "../secrets/mask.ts";
import type { HiddenRows } from "../secrets/hidden.ts";

/** Lines of one application that are kept. */
const LINES = 800;
/** Stands between a line and the row that it is of. */
const BETWEEN = "\u0001";

/** A tree as lines, and the line of each row that has one. */
export interface TreeLines {
  readonly lines: readonly string[];
  readonly lineOf: ReadonlyMap<number, number>;
}

/** The outline of an application in which nothing that must not be seen can be read. */
export function treeLines(snapshot: Snapshot, hidden: HiddenRows, mask: Mask): TreeLines {
  const lineOf = new Map<number, number>();
  const text = outline(snapshot, { maxLines: LINES, annotate: (row) => `${BETWEEN}${row}` });
  const lines = text.split("\n").map((line, index) => {
    const cut = line.lastIndexOf(BETWEEN);
    const row = cut < 0 ? -1 : Number(line.slice(cut + 1));
    if (row >= 0) lineOf.set(row, index);
    const shown = cut < 0 ? line : line.slice(0, cut).trimEnd();
    if (!hidden.rows.has(row)) return mask.text(shown);
    return `${/^ */.exec(shown)?.[0] ?? ""}${wordOf(snapshot, row)} ${MASK}`;
  });
  return { lines, lineOf };
}
