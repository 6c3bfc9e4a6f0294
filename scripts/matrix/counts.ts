import { readRecord, recordedReason, type WorldRecord } from "./record.ts";
import { type Row, rowsFor } from "./rows.ts";
import { toolkit, type ToolkitName, TOOLKITS } from "./toolkits.ts";

/** Cells of some rows: all, and those that a twin proves. */
export interface Count {
  readonly proved: number;
  readonly all: number;
}

/** Rules that a row is tried under where it may not happen. */
export function columnsOf({ by }: Row): readonly string[] {
  return isCommand(by) ? ["safe", "sandboxed"] : ["no", "safe", "sandboxed"];
}

/** Whether it is a command or a file of a person at a terminal, not a tool of the server. */
export function isCommand(by: string): boolean {
  return by === "command" || by === "workflow file";
}

/** Counts the cells of the rows that are asked for. */
export function count(
  wanted: (row: Row, name: ToolkitName) => boolean,
  record: WorldRecord = readRecord(),
): Count {
  let proved = 0, all = 0;
  for (const name of TOOLKITS) {
    for (const row of rowsFor(toolkit(name))) {
      if (!wanted(row, name)) continue;
      const cells = columnsOf(row).length;
      all += cells;
      const lost = record.toolkits[name]?.lost.includes(row.id) === true;
      if (!lost && recordedReason(record, name, row.id) === undefined) proved += cells;
    }
  }
  return { proved, all };
}

/** "12 of 15": what is proved, of all. */
export function reported({ proved, all }: Count): string {
  return all === 0 ? "" : `${proved} of ${all}`;
}
