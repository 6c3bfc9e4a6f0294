import type { Reading } from "./element.ts";
import { Role } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";
import { isWebRow } from "./embedded.ts";

/** Stands in a text for each element that is embedded in it, in their order (the object replacement character of AtkHypertext). */
export const EMBEDDED = "\ufffc";

/** What is no text, and stands within a line. */
const THINGS: ReadonlySet<number> = new Set([
  Role.image,
  Role.icon,
  Role.checkBox,
  Role.radioButton,
  Role.pushButton,
  Role.toggleButton,
  Role.switch,
  Role.entry,
  Role.passwordText,
  Role.spinButton,
  Role.slider,
  Role.comboBox,
  Role.math,
]);

/** What stands within a line as the text that it holds. */
const IN_A_LINE: ReadonlySet<number> = new Set([
  Role.label,
  Role.link,
  Role.mark,
  Role.subscript,
  Role.superscript,
  Role.contentDeletion,
  Role.contentInsertion,
]);

/** Can something be embedded in its text, whose own text one writes as well? So it is in what a page lets one write into. */
export function embeds(snapshot: Snapshot, row: number): boolean {
  return snapshot.text(row)?.includes(EMBEDDED) === true && snapshot.has(row, "editable") &&
    isWebRow(snapshot, row);
}

/**
 * The text of what one writes into in a page with that of what is embedded in it, as one would type it: paragraphs and what else
 * stands in lines of its own in a line each. What has no text stays `EMBEDDED`. Undefined: nothing is embedded, or the tree does not
 * have what is.
 */
export function contentIn(snapshot: Snapshot, row: number): string | undefined {
  if (!embeds(snapshot, row) || snapshot.origin.cut.length > 0) return undefined;
  return linesOf(snapshot, row);
}

/** What a reading says that stands in an element: its content, else its text. */
export function contentOf({ content, text }: Pick<Reading, "content" | "text">): string | undefined {
  return content ?? text;
}

/** What a list writes before its item: in Chromium a run of text of its own, in Firefox the beginning of the item's text. */
const RUN = /^(?:[•◦▪‣○■]|\w{1,8}[.)]) $/u, BEGINNING = /^(?:[•◦▪]|\d{1,4}\.) /u;

/** A text without what a list writes before it. */
function unmarked(snapshot: Snapshot, row: number): string | undefined {
  const text = snapshot.text(row);
  if (text === undefined || snapshot.role(row) !== Role.listItem) return text;
  const [first] = snapshot.children(row).filter((child) => snapshot.role(child) === Role.static);
  if (first === undefined) return text.replace(BEGINNING, "");
  const run = snapshot.text(first) ?? "";
  return RUN.test(run) && text.startsWith(run) ? text.slice(run.length) : text;
}

function linesOf(snapshot: Snapshot, row: number): string | undefined {
  const own = unmarked(snapshot, row);
  if (own === undefined || !own.includes(EMBEDDED)) return own;
  // Runs of text are children, too, and stand in the text as they are.
  const embedded = snapshot.children(row).filter((child) => snapshot.role(child) !== Role.static);
  const runs = own.split(EMBEDDED);
  if (runs.length !== embedded.length + 1) return undefined;
  let lines = runs[0] ?? "", whole = false;
  for (const [k, child] of embedded.entries()) {
    const thing = THINGS.has(snapshot.role(child));
    const content = thing ? EMBEDDED : linesOf(snapshot, child) ?? EMBEDDED;
    const after = runs[k + 1] ?? "";
    const inLine = thing || IN_A_LINE.has(snapshot.role(child));
    const first = k === 0 && lines === "";
    if (!first && (whole || !inLine)) lines += "\n";
    // A line that is empty is kept by a break in it.
    lines += inLine ? content : content.replace(/\n$/, "");
    whole = !inLine;
    if (after === "") continue;
    lines += whole ? `\n${after}` : after;
    whole = false;
  }
  return lines;
}
