import { BackstepError } from "../../base/error.ts";
import type { Rect } from "../element.ts";
import { gridPlace } from "../grid.ts";
import { isItemView } from "../item.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Beside, compare } from "./ast.ts";
import { numberTest } from "./strings.ts";

/** AtspiRelationType. */
const LABELLED_BY = 2;

/** Does an element stand so by one of exactly this name? Made ready for one snapshot: the anchors are looked up once. */
export function compileBeside(how: Beside, name: string, snapshot: Snapshot): (row: number) => boolean {
  if (how === "labelled-by") return compileLabelled(name, snapshot);
  if (snapshot.size > 0 && snapshot.columns.rect.length === 0) throw unread(how, "extents");
  let anchors: readonly number[] | undefined;
  return (row) => {
    anchors ??= rowsNamed(name, snapshot);
    return anchors.some((anchor) => standsBeside(snapshot, row, anchor, how));
  };
}

function compileLabelled(name: string, snapshot: Snapshot): (row: number) => boolean {
  const { relations } = snapshot.columns;
  if (snapshot.size > 0 && relations === undefined) throw unread("labelled-by", "relations");
  let paths: ReadonlySet<string> | undefined;
  return (row) => {
    if ((relations?.[row] ?? 0) === 0) return false;
    paths ??= new Set(rowsNamed(name, snapshot).map((anchor) => snapshot.path(anchor)));
    const labels: ReadonlySet<string> = paths;
    return snapshot.relation(row, LABELLED_BY)?.some((path) => labels.has(path)) ?? false;
  };
}

/** Are two elements in one row (or column) of the same list or table, else below the same parent's parent? */
export function standsBeside(
  snapshot: Snapshot,
  row: number,
  anchor: number,
  how: Exclude<Beside, "labelled-by">,
): boolean {
  const around = besideWhat(snapshot, row);
  if (anchor <= around || anchor >= snapshot.end(around)) return false;
  if (viewAround(snapshot, anchor) !== viewAround(snapshot, row)) return false;
  if (within(snapshot, anchor, row) || within(snapshot, row, anchor)) return false;
  const one = snapshot.rect(row), other = snapshot.rect(anchor);
  if (one === undefined || other === undefined) return inGrid(snapshot, around, row, anchor, how);
  return how === "in-row" ? inRow(one, other) : inRow(turned(one), turned(other));
}

/** The same of cells that are scrolled out of view and have no place on the screen, by their order in their table. */
function inGrid(
  snapshot: Snapshot,
  view: number,
  row: number,
  anchor: number,
  how: Exclude<Beside, "labelled-by">,
): boolean {
  // On a page that does not show, nothing of the table has one.
  if (snapshot.rect(view) === undefined) return false;
  const one = gridPlace(snapshot, view, row), other = gridPlace(snapshot, view, anchor);
  if (one === undefined || other === undefined) return false;
  return how === "in-row" ? one.row !== undefined && one.row === other.row : one.column === other.column;
}

/** The row that holds what an element can be in one row or column with. */
export function besideWhat(snapshot: Snapshot, row: number): number {
  const view = viewAround(snapshot, row);
  if (view !== undefined) return view;
  const parent = snapshot.parent(row);
  return Math.max(0, parent <= 0 ? parent : snapshot.parent(parent));
}

/** The list, table or tree that a row lies in. */
function viewAround(snapshot: Snapshot, row: number): number | undefined {
  for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) {
    if (isItemView(snapshot, up)) return up;
  }
  return undefined;
}

function within(snapshot: Snapshot, row: number, around: number): boolean {
  return row >= around && row < snapshot.end(around);
}

/** Does the middle of each lie between top and bottom of the other? */
function inRow(one: Rect, other: Rect): boolean {
  if (one.width <= 0 || one.height <= 0 || other.width <= 0 || other.height <= 0) return false;
  return crosses(one, other.y + other.height / 2) && crosses(other, one.y + one.height / 2);
}

function crosses({ y, height }: Rect, at: number): boolean {
  return at >= y && at <= y + height;
}

function turned({ x, y, width, height }: Rect): Rect {
  return { x: y, y: x, width: height, height: width };
}

function rowsNamed(name: string, snapshot: Snapshot): number[] {
  const { name: names } = snapshot.columns;
  const test = numberTest(snapshot, compare("=", name));
  const rows: number[] = [];
  for (let row = 0; row < snapshot.size; row++) if (test(names[row] ?? 0)) rows.push(row);
  return rows;
}

function unread(how: Beside, field: string): BackstepError {
  return new BackstepError(
    "invalid",
    `Cannot match :${how}: the tree was read without its field "${field}"`,
    {
      hint: "Ask fieldsOf(selector) which fields it needs before taking the snapshot.",
    },
  );
}
