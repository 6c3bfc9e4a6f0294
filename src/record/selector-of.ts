import { MADE_UP } from "../desktop/item.ts";
import { quote } from "../desktop/quote.ts";
import { find, readSelector } from "../desktop/selector/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { wordOf } from "../desktop/vocabulary.ts";
import { read } from "../intelligence/scene.ts";
import { queryFor } from "../intelligence/suggest.ts";

/** Characters of a name that a selector holds. */
const MOST = 80;

/**
 * A selector that finds this row and no other in this snapshot; undefined: nothing short does. The one place that asks for one.
 * Role and name come first: a name alone is looked for in texts too, which a look does not hold.
 */
export function selectorOf(snapshot: Snapshot, row: number): string | undefined {
  const name = snapshot.name(row);
  if (name !== "" && name.length <= MOST && !name.includes("\n") && !MADE_UP.test(name)) {
    const typed = `${wordOf(snapshot, row)}[name=${quote(name)}]`;
    const found = [typed, `${typed}:visible`].find((query) => {
      const { rows } = find(readSelector(query), snapshot);
      return rows.length === 1 && rows[0] === row;
    });
    if (found !== undefined) return found;
  }
  return queryFor(read(snapshot), row);
}
