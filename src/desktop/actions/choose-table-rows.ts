import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { columnHeaders } from "../grid.ts";
import { Interface } from "../interfaces.ts";
import type { Snapshot } from "../snapshot.ts";
import { isGtk3, isOffice } from "../toolkits.ts";
import type { Attempts, Done } from "./attempts.ts";
import { until } from "./read-back.ts";

/**
 * Columns of a table of GTK 3, whose children are the headers of its columns and then the cells, row by row; 0: it is none, or
 * has one column. `gtk_tree_view_accessible_add_selection` refuses each child of a table with several.
 */
export function columnsOf(snapshot: Snapshot, container: number): number {
  const { application } = snapshot.origin;
  if (container < 0 || !isGtk3(application) || isOffice(application)) return 0;
  if (!snapshot.implements(container, Interface.table)) return 0;
  const headers = columnHeaders(snapshot, container).length;
  return headers > 1 ? headers : 0;
}

/**
 * Makes the rows in which these children lie the selected ones of a table, and no others, by AT-SPI's Table. Reads back that
 * exactly these are.
 */
export async function chooseTableRows(
  desktop: Desktop,
  table: ElementRef,
  columns: number,
  children: readonly number[],
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done> {
  const rowsOf = (of: readonly number[]) => new Set(of.map((child) => Math.floor(child / columns)));
  const read = () => desktop.read(table, { ...deadline.call(), place: false });
  const selected = (now: Reading) => rowsOf(now.selectedChildren ?? []);
  const wanted = rowsOf(children);
  const exact = (now: Reading) => selected(now).symmetricDifference(wanted).size === 0;
  const before = await read();
  if (exact(before)) return attempts.done("none", true);
  const method = wanted.size === 0 ? "Table.RemoveRowSelection" : "Table.AddRowSelection";
  const done = await attempts.attempt(method, async () => {
    for (const row of wanted.difference(selected(before))) {
      await desktop.act(table, { do: "selectRow", child: row * columns }, deadline.call());
    }
    // Where only one can be selected, the others were let go of by that.
    for (const row of selected(await read()).difference(wanted)) {
      await desktop.act(table, { do: "deselectRow", child: row * columns }, deadline.call());
    }
    return (await until(desktop, table, exact, deadline)).held;
  });
  if (done) return done;
  throw attempts.failure(wanted.size > 1 ? "It may be that only one can be chosen there." : undefined);
}
