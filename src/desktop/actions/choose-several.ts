import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { Interface } from "../interfaces.ts";
import { Attempts, type Done } from "./attempts.ts";
import { choose, chooseChild } from "./choose.ts";
import { chooseTableRows, columnsOf } from "./choose-table-rows.ts";
import { chooseRows, isRowView, rowPathOf } from "./choose-rows.ts";
import { itemName, itemRows, noSuchItem } from "./items.ts";
import { inputMethod } from "./input-method.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { isQt } from "../toolkits.ts";
import { label } from "./label.ts";
import { type Place, placeOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { watchUntil } from "./read-back.ts";
import { TOGGLE_ITEM, toggleItem } from "./toggle-item.ts";
import { adding } from "./shortcuts.ts";

/**
 * Makes the items of these names the chosen ones of a list, table or tree, and no others: by AT-SPI's Selection, else the
 * items' own action, else a click on the first and one with Ctrl held on each other. Reads back that exactly these say that they are selected.
 * Errors: `not_found` with the nearest names, `ambiguous`, `no_effect` where only one can be chosen.
 */
export async function chooseSeveral(
  desktop: Desktop,
  container: ElementRef,
  names: readonly string[],
  deadline: Deadline,
): Promise<Done> {
  const place = await placeOf(desktop, container, deadline, ["extents", "selection", "text"]);
  const rows = names.map((name) => rowNamed(place, container, name));
  const attempts = new Attempts(`choose ${names.length} items of ${label(container)}`);
  if (isRowView(place.snapshot, place.row)) {
    const paths = rows.map((row) => rowPathOf(place.snapshot, place.row, row));
    return await chooseRows(desktop, container, paths, attempts.doing, deadline);
  }
  const exact = (now: Place) => isExactly(now, names, now.snapshot.role(now.row) === Role.tree);
  if (exact(place)) return attempts.done("none", true);
  const read = () => placeOf(desktop, container, deadline, ["extents", "selection", "text"]);
  const held = async () => (await watchUntil(desktop, read, exact, deadline, container)).held;
  if (isQt(place.application) && isOneRow(place.snapshot, rows)) {
    const first = itemRows(place.snapshot, place.row).indexOf(rows[0] ?? -1);
    const done = await chooseChild(desktop, container, first, deadline);
    // The others were let go of: what else is chosen was chosen with it.
    if (isExactly(await read(), names, true)) return done;
  }
  const indices = rows.map((row) => place.snapshot.children(place.row).indexOf(row));
  const columns = columnsOf(place.snapshot, place.row);
  if (columns > 0 && !indices.includes(-1)) {
    return await chooseTableRows(desktop, container, columns, indices, attempts, deadline);
  }
  if (place.snapshot.implements(place.row, Interface.selection) && !indices.includes(-1)) {
    const done = await attempts.attempt("Selection.SelectChild", async () => {
      await choose(desktop, place.application, container, indices, deadline);
      return await held();
    });
    if (done) return done;
  } else {
    attempts.refuse("Selection.SelectChild", "unsupported", "its container does not implement Selection");
    const done = await attempts.attempt(TOGGLE_ITEM, async () => {
      const { snapshot } = place;
      const others = itemRows(snapshot, place.row).filter((row) =>
        snapshot.has(row, "selected") && !rows.includes(row)
      );
      for (const [items, want] of [[rows, true], [others, false]] as const) {
        for (const row of items) {
          if (!await toggleItem(desktop, snapshot.element(row), want, deadline)) return false;
        }
      }
      return await held();
    });
    if (done) return done;
  }
  const clicked = await attempts.attempt(inputMethod(desktop, "ctrl+click"), async () => {
    for (const [k, name] of names.entries()) {
      const now = await placeOf(desktop, container, deadline, ["extents", "text"]);
      const item = now.snapshot.element(rowNamed(now, container, name));
      await clickOn(desktop, item, deadline, k === 0 ? {} : { modifiers: adding(desktop) });
    }
    return await held();
  });
  if (clicked) return clicked;
  throw attempts.failure("It may be that only one can be chosen there.");
}

/** Are they one item, or the cells of one row? What is chosen with one of them is the others. */
function isOneRow(snapshot: Snapshot, rows: readonly number[]): boolean {
  const [first, ...others] = rows.map((row) => snapshot.rect(row)?.y);
  return rows.length === 1 || (first !== undefined && others.every((y) => y === first));
}

function rowNamed({ snapshot, row }: Place, container: ElementRef, name: string): number {
  const rows = itemRows(snapshot, row);
  const named = rows.filter((r) => itemName(snapshot, r) === name);
  const [found] = named;
  if (found !== undefined && named.length === 1) return found;
  throw noSuchItem(label(container), name, rows.map((r) => itemName(snapshot, r)), named.length);
}

/** Is this chosen, and nothing else? `withRow`: cells beside one that is chosen may be chosen with it. */
function isExactly(now: Place, names: readonly string[], withRow: boolean): boolean {
  const chosen = chosenIn(now);
  const nameOf = (row: number) => itemName(now.snapshot, row);
  const wanted = chosen.filter((row) => names.includes(nameOf(row)));
  if (!same(wanted.map(nameOf).sort(), [...names].sort())) return false;
  const level = (row: number) => now.snapshot.rect(row)?.y;
  return chosen.length === wanted.length || (withRow && isQt(now.application) &&
    chosen.every((row) => level(row) !== undefined && wanted.some((one) => level(one) === level(row))));
}

/** What is chosen: each item tells, or the container does. */
function chosenIn({ snapshot, row }: Place): number[] {
  const reported = (snapshot.selected(row) ?? []).flatMap((index) => snapshot.children(row)[index] ?? []);
  return reported.length > 0 ? reported : itemRows(snapshot, row).filter((r) => snapshot.has(r, "selected"));
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, k) => name === b[k]);
}
