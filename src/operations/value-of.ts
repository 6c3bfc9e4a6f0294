import { BackstepError } from "../base/error.ts";
import { contentIn } from "../desktop/content.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { rowHas } from "../desktop/state-words.ts";
import { entryOf, itemName, itemRows, markedRows, shownName } from "../desktop/actions/items.ts";
import { label } from "../desktop/actions/label.ts";
import { kindOf } from "./kind.ts";

/** What an element's value can be; null: it has none. */
export type Value = string | number | boolean | null;

/**
 * The value of a row as a person would say it: the text of a field, the number of a slider, whether a box is checked,
 * the name of what a list or combo box has chosen; for the rest its text or name. Throws `secure` for a password field.
 */
export function valueOf(snapshot: Snapshot, row: number): Value {
  switch (kindOf(snapshot, row)) {
    case "secure":
      throw new BackstepError(
        "secure",
        `Cannot read ${label(snapshot.element(row))}: the content of a password field is never read`,
      );
    case "number":
      return numberOrText(snapshot, row);
    case "toggle":
    case "radio":
      return rowHas(snapshot, row, "indeterminate")
        ? null
        : rowHas(snapshot, row, "checked") || rowHas(snapshot, row, "pressed");
    case "container":
      return chosenName(snapshot, row);
    default:
      return contentIn(snapshot, row) ?? snapshot.text(row) ?? snapshot.value(row)?.current ??
        (snapshot.name(row) || null);
  }
}

/** The number; where there is no room for one, as in a spin button of days, what it shows. */
function numberOrText(snapshot: Snapshot, row: number): Value {
  const value = snapshot.value(row);
  const shown = snapshot.text(row);
  if (value === undefined || value.minimum === value.maximum) return shown || (value?.current ?? null);
  return value.current;
}

/** The name of what is chosen; null: nothing is, or it is not told. A combo box may show what is none of its items. */
function chosenName(snapshot: Snapshot, row: number): Value {
  const rows = itemRows(snapshot, row);
  const combo = snapshot.role(row) === Role.comboBox;
  const entry = combo ? entryOf(snapshot, row) : undefined;
  if (entry !== undefined && entry !== row && snapshot.text(entry) !== undefined) {
    return snapshot.text(entry) || null;
  }
  const direct = combo ? rows : snapshot.children(row);
  const named = (snapshot.selected(row) ?? []).flatMap((index) => direct[index] ?? []);
  const chosen = named.length > 0 ? named : markedRows(snapshot, row);
  const [first] = chosen;
  if (first !== undefined) return itemName(snapshot, first) || null;
  if (!combo) return null;
  return shownName(snapshot, row) ?? null;
}
