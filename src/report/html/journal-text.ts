import type { JournalRecord } from "../../engine/journal/records/mod.ts";
import { onDisk } from "../../engine/journal/records/parse.ts";
import type { JournalText } from "./model.ts";

/** Characters of one line. */
const MOST = 1_200;

/** The lines of a journal for people, with the names of the disk: what is encrypted stays so. */
export function journalText(records: readonly JournalRecord[], began: number): JournalText[] {
  return records.map(onDisk).map(({ n, at, kind, path, sealed, ...rest }) => {
    const words = Object.entries(rest).map(([key, value]) =>
      `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`
    );
    if (typeof sealed === "string") words.push(`encrypted (${sealed.length} characters)`);
    const text = words.join("  ");
    return {
      n,
      at: at - began,
      kind,
      path: typeof path === "string" ? path : "",
      text: text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text,
    };
  });
}
