import type { JournalLine } from "../../engine/journal.ts";
import type { JournalText } from "./model.ts";

/** Characters of one line. */
const MOST = 1_200;

/** The lines of a journal for people: what is sealed stays so. */
export function journalText(lines: readonly JournalLine[], began: number): JournalText[] {
  return lines.map(({ n, at, kind, path, sealed, ...rest }) => {
    const words = Object.entries(rest).map(([key, value]) =>
      `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`
    );
    if (typeof sealed === "string") words.push(`sealed (${sealed.length} characters)`);
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
