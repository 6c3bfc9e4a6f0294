import { type Row, rowsFor } from "./rows.ts";
import { type Toolkit, TOOLKITS } from "./toolkits.ts";

/** Rows of the chosen part with keys on the button, which are many: a row on each toolkit for other kinds. */
const PICKED_KEYS = 3;

/**
 * The part that every run of the tests does: of each kind of way to each control one, another one on each toolkit, so that
 * the toolkits together have more of them than one has. `proves`: a twin has shown it.
 */
export function chosenRows(toolkit: Toolkit, proves: (row: Row) => boolean): readonly Row[] {
  const kinds = Map.groupBy(rowsFor(toolkit).filter(proves), ({ by, control }) => `${by}: ${control}`);
  const at = TOOLKITS.indexOf(toolkit.name);
  return [...kinds].flatMap(([kind, rows], n) => {
    const picked = (k: number) => rows[(at + k * TOOLKITS.length * 3) % rows.length] ?? [];
    if (kind === "ax_key_press: button") {
      return Array.from({ length: PICKED_KEYS }, (_, k) => picked(k)).flat();
    }
    // A quarter of the kinds on each toolkit: each kind is there on one of them.
    return (n + at) % TOOLKITS.length === 0 ? [picked(0)].flat() : [];
  });
}
