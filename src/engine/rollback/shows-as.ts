import type { Json } from "../../base/error.ts";
import { equalJson, type Image, type Participant } from "../../contract/participant.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { rowHas } from "../../desktop/state-words.ts";

/** How a snapshot shows each property that it can, by the rows of what has it. */
const SHOWN: {
  readonly [property: string]: (snapshot: Snapshot, rows: readonly number[]) => readonly Json[];
} = {
  value: (snapshot, rows) => alone(rows, (row) => [snapshot.value(row)?.current ?? null]),
  text: (snapshot, rows) => alone(rows, (row) => [snapshot.text(row) ?? null]),
  shown: (snapshot, rows) => alone(rows, (row) => [snapshot.text(row) ?? null, snapshot.name(row)]),
  selected: (snapshot, rows) => alone(rows, (row) => [snapshot.selected(row) ?? null]),
  expanded: (snapshot, rows) => alone(rows, (row) => [rowHas(snapshot, row, "expanded")]),
  checked: (snapshot, rows) => {
    const all = rows.map((row): Json => rowHas(snapshot, row, "checked"));
    return [...alone(all, (one) => [one]), all];
  },
};

function alone<T>(all: readonly T[], of: (one: T) => readonly Json[]): readonly Json[] {
  const [only] = all;
  return all.length === 1 && only !== undefined ? of(only) : [];
}

/**
 * Does a snapshot of a whole application show all that is protected of a participant as an image has it? Not where it does not show
 * one of the properties, or does not hold the participant.
 */
export function showsAs(snapshot: Snapshot, { rowsIn }: Participant, image: Image): boolean {
  const rows = rowsIn?.(snapshot) ?? [];
  const properties = Object.entries(image.properties);
  if (rows.length === 0 || rows.includes(-1) || properties.length === 0 || image.unrestorable) return false;
  return properties.every(([property, value]) => {
    const shown = Object.hasOwn(SHOWN, property) ? SHOWN[property]?.(snapshot, rows) : undefined;
    return shown?.some((one) => equalJson(one, value)) === true;
  });
}
