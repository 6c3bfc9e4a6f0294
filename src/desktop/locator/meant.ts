import { ancestors } from "../ancestors.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { isInteractive, wordOf } from "../vocabulary.ts";
import { withoutHiddenTwins } from "./hidden-twins.ts";

const BUTTONS: ReadonlySet<number> = new Set([Role.pushButton, Role.toggleButton]);
/** What shows the name of a control in it. */
const SHOWS_NAME: ReadonlySet<number> = new Set([Role.label, Role.image, Role.icon]);

/** Of several matches those that can be meant: what is hidden beside its twin that shows is not, nor what is a part of another. */
export function meant(snapshot: Snapshot, rows: readonly number[]): readonly number[] {
  if (rows.length < 2) return rows;
  return withoutParts(snapshot, withoutHiddenTwins(snapshot, rows));
}

/**
 * Of two of the same name, of which one is in the other: a label in a control only shows the name of that. A menu button of GTK 4
 * is a button in a button, of which the inner one takes the press.
 */
function withoutParts(snapshot: Snapshot, rows: readonly number[]): readonly number[] {
  if (rows.length < 2) return rows;
  const all = new Set(rows);
  const left = new Set<number>();
  for (const row of rows) {
    const around = ancestors(snapshot, row)
      .filter((up) => all.has(up) && snapshot.name(up) === snapshot.name(row));
    const role = snapshot.role(row);
    if (SHOWS_NAME.has(role) && around.some((up) => isInteractive(wordOf(snapshot, up)))) left.add(row);
    if (!BUTTONS.has(role)) continue;
    for (const up of around) if (BUTTONS.has(snapshot.role(up))) left.add(up);
  }
  return left.size === 0 ? rows : rows.filter((row) => !left.has(row));
}
