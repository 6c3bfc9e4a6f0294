import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { choosesByRow } from "../toolkits.ts";
import { Attempts, type Done } from "./attempts.ts";
import { isItem } from "./items.ts";
import { label } from "./label.ts";
import { type Place, placeOf } from "./place.ts";
import { watchUntil } from "./read-back.ts";
import { sendAndSee } from "./refused.ts";

/** Where a row is in its view: the index of a child, and of that one's child, from the view down. */
export type RowPath = readonly number[];

const VIEWS: ReadonlySet<number> = new Set([Role.list, Role.table, Role.tree]);

/** Is it a view whose rows are chosen one by one, after all were let go of? See `choosesByRow`. */
export function isRowView(snapshot: Snapshot, row: number): boolean {
  return row >= 0 && VIEWS.has(snapshot.role(row)) && choosesByRow(snapshot.origin.application);
}

/** The view of this kind that a row is, or lies in; -1 without one. */
export function rowViewOf(snapshot: Snapshot, row: number): number {
  let up = row;
  while (up >= 0 && !isRowView(snapshot, up)) up = snapshot.parent(up);
  return up;
}

/** The rows and cells of a view that say that they are chosen, those inside of others too. */
export function chosenRows(snapshot: Snapshot, view: number): number[] {
  const rows: number[] = [];
  for (let row = view + 1; row < snapshot.end(view); row++) {
    if (isItem(snapshot.role(row)) && snapshot.has(row, "selected")) rows.push(row);
  }
  return rows;
}

/** Where a row is in its view. */
export function rowPathOf(snapshot: Snapshot, view: number, row: number): RowPath {
  const path: number[] = [];
  for (let at = row; at !== view && at > view; at = snapshot.parent(at)) {
    path.unshift(snapshot.children(snapshot.parent(at)).indexOf(at));
  }
  return path;
}

/** The row at a path; -1 when it is not there. */
export function rowAt(snapshot: Snapshot, view: number, path: RowPath): number {
  return path.reduce((row, index) => row < 0 ? -1 : snapshot.children(row)[index] ?? -1, view);
}

/**
 * Makes exactly these rows the chosen ones: lets go of all, then chooses each through whoever holds it, its parent. One
 * row at a time cannot be let go of in Swing: its bridge counts the rows otherwise than AT-SPI does. Reads back that these
 * rows are chosen and no others.
 */
export async function chooseRows(
  desktop: Desktop,
  view: ElementRef,
  wanted: readonly RowPath[],
  doing: string,
  deadline: Deadline,
): Promise<Done> {
  const attempts = new Attempts(doing);
  const look = () => placeOf(desktop, view, deadline, ["extents"]);
  const exact = (now: Place) => isExactly(now, wanted);
  const before = await look();
  if (exact(before)) return attempts.done("none", true);
  const done = await attempts.attempt("Selection.SelectChild", async () => {
    if (!await clear(desktop, before, look, deadline)) return false;
    for (const path of wanted) {
      const now = await look();
      const row = rowAt(now.snapshot, now.row, path);
      // A cell chooses its whole row, and would let go of it if it was chosen again.
      if (row >= 0 && now.snapshot.has(row, "selected")) continue;
      const holder = holderOf(now, path);
      const child = path.at(-1);
      if (child === undefined) return false;
      const select = () => desktop.act(holder, { do: "select", child }, deadline.call());
      const there = async (within: Deadline) => {
        const chosen = ({ snapshot, row }: Place) => {
          const at = rowAt(snapshot, row, path);
          return at >= 0 && snapshot.has(at, "selected");
        };
        return (await watchUntil(desktop, look, chosen, within, view)).held;
      };
      if (!await sendAndSee(select, there, deadline)) return false;
    }
    return exact(await look());
  });
  if (done) return done;
  throw attempts.failure();
}

/** Lets go of all rows, through each that holds some of them. */
async function clear(
  desktop: Desktop,
  before: Place,
  look: () => Promise<Place>,
  deadline: Deadline,
): Promise<boolean> {
  const left = ({ snapshot, row }: Place) => chosenRows(snapshot, row).length;
  let now = before;
  while (left(now) > 0) {
    const { snapshot, row: view } = now;
    const before = left(now);
    const [row = view] = chosenRows(snapshot, view);
    const holder = snapshot.element(snapshot.parent(row));
    let seen = now;
    const letGo = await sendAndSee(
      () => desktop.act(holder, { do: "selectNone" }, deadline.call()),
      async (within) => {
        const { held, last } = await watchUntil(
          desktop,
          look,
          (next) => left(next) < before,
          within,
          holder,
        );
        seen = last;
        return held;
      },
      deadline,
    );
    if (!letGo) return false;
    now = seen;
  }
  return true;
}

/** Who holds the selection of the row at a path: the row above in a tree, else the view. */
function holderOf({ snapshot, row }: Place, path: RowPath): ElementRef {
  if (rowAt(snapshot, row, path) < 0) {
    throw new BackstepError(
      "not_found",
      `Cannot choose in ${label(snapshot.element(row))}: the row is not there`,
    );
  }
  return snapshot.element(rowAt(snapshot, row, path.slice(0, -1)));
}

/** Are these rows chosen, and no others? Of a table, cells beside a chosen one are chosen with it. */
function isExactly({ snapshot, row: view }: Place, wanted: readonly RowPath[]): boolean {
  const rows = wanted.map((path) => rowAt(snapshot, view, path));
  const chosen = chosenRows(snapshot, view);
  if (rows.some((row) => !chosen.includes(row))) return false;
  const beside = (row: number) =>
    snapshot.role(view) === Role.table &&
    rows.some((one) => {
      const [a, b] = [snapshot.rect(one), snapshot.rect(row)];
      return a !== undefined && a.y === b?.y;
    });
  return chosen.every((row) => rows.includes(row) || beside(row));
}
