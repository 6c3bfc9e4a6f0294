import { BackstepError, type Json } from "../base/error.ts";
import type { ElementRef, Fingerprint } from "./element.ts";

/**
 * Is the element that answers now the one that was found? The rule, in one place:
 *
 * 1. The role must be the same.
 * 2. The accessible id must be the same; an empty one, on either side, is unknown and proves nothing.
 * 3. The name must be the same, except on a control whose name follows what it shows (below): a combo box is named
 *    after its choice, a window after its document. There, role and id decide. Where a name is a label and the value
 *    behind it, the first word decides, too.
 * 4. The item of a list, table or tree that it is or lies in must show the same: toolkits recycle items, so that the
 *    address of one row answers for another after a scroll. What of an item shows a value or a text is left out.
 *
 * It is the best evidence there is, not proof: two elements of one role and name can have changed places.
 */
export function isSame(expected: Fingerprint, found: Fingerprint): boolean {
  if (expected.role !== found.role) return false;
  if (expected.id !== "" && found.id !== "" && expected.id !== found.id) return false;
  if (isRecycled(expected, found)) return false;
  if (expected.name === found.name || nameFollowsValue.has(expected.role)) return true;
  const label = firstWord(expected.name);
  return labelThenValue.has(expected.role) && label !== "" && label === firstWord(found.name);
}

/**
 * Is what was found in the place of an element that went the same to whoever meant that? As `isSame`; one of the same
 * accessible id may be called otherwise by now, since the id is what it is known by.
 */
export function isSameAnew(expected: Fingerprint, found: Fingerprint): boolean {
  if (isSame(expected, found)) return true;
  return expected.role === found.role && expected.id !== "" && expected.id === found.id &&
    !isRecycled(expected, found);
}

/** Does its item show something else than it did? What was in no item, or in none that is known, tells nothing. */
export function isRecycled(expected: Fingerprint, found: Fingerprint): boolean {
  return expected.item !== undefined && found.item !== undefined &&
    expected.item.content !== found.item.content;
}

/** AtspiRole numbers of what renames itself in ordinary use. */
const nameFollowsValue: ReadonlySet<number> = new Set([
  11, // combo box: its choice
  23, // frame: the document's title, a mark for what is not saved
  29, // label: whatever it tells
  42, // progress bar
  52, // spin button
  54, // status bar
  61, // text
  73, // paragraph
  79, // entry
  101, // notification
]);

/** AtspiRole numbers of what WebKitGTK calls by its label and its value, where the label is around it: "Volume 40". */
const labelThenValue: ReadonlySet<number> = new Set([
  51, // slider
  98, // list box: what is chosen
]);

function firstWord(name: string): string {
  return name.split(" ", 1)[0] ?? "";
}

/** Throws `stale`, with both fingerprints, unless the element that answered is the one that was meant. */
export function confirm(what: string, expected: ElementRef, found: Fingerprint): void {
  if (isSame(expected.fingerprint, found)) return;
  const { item } = expected.fingerprint;
  const recycled = item !== undefined && found.item !== undefined && isRecycled(expected.fingerprint, found);
  const why = recycled
    ? `its row showed ${JSON.stringify(shortened(item.content))} and shows ${
      JSON.stringify(shortened(found.item.content))
    } now`
    : "another element answers at its address now";
  throw new BackstepError("stale", `Cannot ${what}: ${why}`, {
    hint: recycled
      ? "Find the element again, by what its row shows: the list shows other rows in the same places."
      : "Find the element again.",
    details: {
      expected: bounded(expected.fingerprint),
      found: bounded(found),
      path: expected.path,
      outcome: "not_sent",
    },
  });
}

/** A name as it is shown in errors and details, in characters. */
export const MOST_NAME = 120;

/** A fingerprint for the details of an error. */
export function bounded({ role, name, id, item }: Fingerprint): Json {
  const content = item === undefined ? {} : { content: shortened(item.content) };
  return { role, name: shortened(name), id: shortened(id), ...content };
}

function shortened(text: string): string {
  return text.length > MOST_NAME ? `${text.slice(0, MOST_NAME)}…` : text;
}

/** An element in a sentence, by the best it has: its name, its id, its address. */
export function nameOf({ fingerprint, path }: ElementRef): string {
  if (fingerprint.name !== "") return JSON.stringify(shortened(fingerprint.name));
  return fingerprint.id !== "" ? `#${shortened(fingerprint.id)}` : path;
}
