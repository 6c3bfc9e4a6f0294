import type { Call } from "../base/call.ts";
import { toBackstepError } from "../base/error.ts";
import type { Desktop, Hit, Window } from "./desktop.ts";
import { isEmbedded } from "./embedded.ts";
import type { Application, Reading } from "./element.ts";
import { hitTest } from "./hit-test.ts";
import { isCutOffAt } from "./quick.ts";
import { contains, type Point, sameRect } from "./rect.ts";
import type { Snapshot } from "./snapshot.ts";
import { rowHas } from "./state-words.ts";
import { isGtk } from "./toolkits.ts";
import { wordOf } from "./vocabulary.ts";

/**
 * What a pointer at a point reaches. "reached": the element, its inside or its outside; "undecided": the whole tree has to be read
 * to tell; "unknown": the application gives no useful answer; else the row of what is in the way.
 */
export type Reached = "reached" | "unknown" | "undecided" | { readonly row: number };

/** An element that a pointer is to reach, as it was found. */
export interface Reaching {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number;
  /** Whether it shows is not told, unless the application says that the pointer reaches it. */
  readonly unsure?: true;
}

/**
 * What the answer of an application to what lies at a point means for an element. It counts against the element only where the
 * snapshot confirms that something unrelated lies there, since toolkits often answer beside the mark. `popup`: what is on top
 * there.
 */
export function reachedBy(
  reaching: Reaching,
  { x, y }: Point,
  answer: Pick<Hit, "bus" | "path"> | undefined,
  { display, popup }: { readonly display?: Desktop["capabilities"]["display"]; readonly popup?: Window },
): Reached {
  const { application, snapshot, row } = reaching;
  const there = answer === undefined ? -1 : snapshot.rowOf(answer);
  if (areRelated(snapshot, row, there)) return "reached";
  // What else is drawn there is not for what is kept to say: the places of others are unknown. Of a point where the application
  // knows of nothing, nobody knows more.
  if (snapshot.origin.source === "mirror") {
    return answer === undefined && reaching.unsure !== true ? "unknown" : "undecided";
  }
  const ordered = isGtk(application) && (answer === undefined || !isEmbedded(answer));
  if ((popup !== undefined || ordered) && areRelated(snapshot, row, hitTest(snapshot, x, y, popup?.rect))) {
    return "reached";
  }
  if (there < 0) return "unknown";
  if (display === "wayland" && inOpenMenuBeside(snapshot, row, there)) return "reached";
  const rect = snapshot.rect(there);
  const credible = rect !== undefined && contains(rect, x, y) && rowHas(snapshot, there, "visible") &&
    !liesAbove(snapshot, row, there) && !isCutOffAt(snapshot, there, x, y);
  return credible ? { row: there } : "unknown";
}

/** Is one of the two the other, or inside of it? */
export function areRelated(snapshot: Snapshot, row: number, other: number): boolean {
  return holds(snapshot, row, other) || holds(snapshot, other, row);
}

/** Has something the role, the name and the place of an element? */
export function isLike(
  snapshot: Snapshot,
  row: number,
  { role, name, rect }: Pick<Reading, "role" | "name" | "rect">,
): boolean {
  return role === snapshot.role(row) && name === snapshot.name(row) && sameRect(rect, snapshot.rect(row));
}

/**
 * Is what lies there told just as the element, of its role and name and at its place? For items that have another address at each
 * question.
 */
export async function isSameItem(
  desktop: Pick<Desktop, "read">,
  { snapshot, row }: Pick<Reaching, "snapshot" | "row">,
  { bus, path }: Pick<Hit, "bus" | "path">,
  call: Call,
): Promise<boolean> {
  try {
    const there = await desktop.read({ ...snapshot.element(row), bus, path }, call);
    return isLike(snapshot, row, there);
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (code === "stale" || code === "unsupported" || code === "refused") return false;
    throw thrown;
  }
}

/** What lies there may be a nameless box: the first thing around it that has a name and does not hold the element too. */
export function telling({ snapshot, row }: Reaching, cover: number): number {
  for (let up = cover; up > 0 && !holds(snapshot, up, row); up = snapshot.parent(up)) {
    if (snapshot.name(up) !== "") return up;
  }
  return cover;
}

/**
 * Is the element in an open menu, and the other not? A Wayland display tells of no popups, so that the application was asked for
 * the window below: Qt knows nothing of its menus there. An item says that it shows only while its menu is open.
 */
function inOpenMenuBeside(snapshot: Snapshot, row: number, other: number): boolean {
  if (!snapshot.has(row, "showing")) return false;
  for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) {
    const word = wordOf(snapshot, up);
    if (word === "menubar" || word === "window") return false;
    if (word === "menu" || word === "popupmenu") return !holds(snapshot, up, other);
  }
  return false;
}

/**
 * Is the element in a popover of GTK 3, and the other beside it in the same window? Popovers hang below their window after
 * its content, are drawn in the window itself, above everything else, and overlooked when the application is asked.
 */
function liesAbove(snapshot: Snapshot, row: number, other: number): boolean {
  const { toolkit } = snapshot.origin.application;
  if (toolkit !== "gtk") return false;
  let branch = row;
  for (let up = snapshot.parent(row); up > 0; branch = up, up = snapshot.parent(up)) {
    if (wordOf(snapshot, up) !== "window") continue;
    const inside = other > up && other < snapshot.end(up);
    return inside && other < branch &&
      snapshot.children(up).some((child) => holds(snapshot, child, other));
  }
  return false;
}

/** Is a row another one, or inside of it? */
function holds(snapshot: Snapshot, outer: number, row: number): boolean {
  return outer >= 0 && row >= outer && row < snapshot.end(outer);
}
