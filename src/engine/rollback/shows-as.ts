import type { Json } from "../../base/error.ts";
import { equalJson, type Image, type Participant } from "../../contract/participant.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { rowHas } from "../../desktop/state-words.ts";

type Shown = (snapshot: Snapshot, rows: readonly number[]) => readonly (Json | undefined)[];

/** As what a snapshot shows each property that it can, by the rows of what has it. */
const SHOWN: { readonly [property: string]: Shown } = {
  value: ofOne((snapshot, row) => [snapshot.value(row)?.current]),
  text: ofOne((snapshot, row) => [snapshot.text(row)]),
  shown: ofOne((snapshot, row) => [snapshot.text(row), snapshot.name(row)]),
  selected: ofOne((snapshot, row) => [snapshot.selected(row)]),
  expanded: ofOne((snapshot, row) => [rowHas(snapshot, row, "expanded")]),
  checked: (snapshot, rows) => {
    const all = rows.map((row) => rowHas(snapshot, row, "checked"));
    return rows.length === 1 ? [all, ...all] : [all];
  },
};

function ofOne(of: (snapshot: Snapshot, row: number) => readonly (Json | undefined)[]): Shown {
  return (snapshot, rows) => rows.length === 1 ? rows.flatMap((row) => of(snapshot, row)) : [];
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
    return shown?.some((one) => one !== undefined && equalJson(one, value)) === true;
  });
}
