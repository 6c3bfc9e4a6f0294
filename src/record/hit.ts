import type { Application } from "../desktop/element.ts";
import { Role } from "../desktop/roles.ts";
import { isInQuickPopup } from "../desktop/quick.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isGtk3, isGtk4, isQt } from "../desktop/toolkits.ts";
import { isWithin, meantBy } from "./actionable.ts";

/** Who says that a row was hit; -1: he does not say. */
export interface Reports {
  /** By the places of the tree as it was before the press. */
  readonly own: number;
  /** By the application. */
  readonly said: number;
  /** By the events that the press set off: what got the focus, was checked or chosen. */
  readonly reported: readonly number[];
}

/** What was hit. */
export interface Hit {
  /** What was meant: see `meantBy`; -1: nothing that can be used. */
  readonly row: number;
  readonly sure: boolean;
  /** What else it may have been. */
  readonly others: readonly number[];
}

/** Items whose address the application gives to others at once. */
export const CELLS: ReadonlySet<number> = new Set([
  Role.tableCell,
  Role.listItem,
  Role.treeItem,
  Role.tableRow,
]);

/**
 * Judges who was hit. Two reports agree where they mean the same, or one means what is around the other; then the one that
 * is right more often on this toolkit is followed. Where they differ, what the press set off decides; else nothing is sure.
 */
export function hitOf(snapshot: Snapshot, { own, said, reported }: Reports): Hit {
  const mine = own < 0 ? -1 : meantBy(snapshot, own), theirs = said < 0 ? -1 : meantBy(snapshot, said);
  const heard = reported.map((row) => meantBy(snapshot, row)).filter((row) => row >= 0);
  const supports = (row: number) => heard.some((one) => one === row || isWithin(snapshot, row, one));
  if (mine < 0 && theirs < 0) {
    const [only] = heard.length === 1 ? heard : [];
    return { row: only ?? -1, sure: false, others: [] };
  }
  if (mine === theirs) return { row: mine, sure: true, others: [] };
  if (mine < 0 || theirs < 0) {
    const row = Math.max(mine, theirs);
    // The other one does not see it at all, or sees no more than the window: a box around it does not disagree.
    const around = mine < 0 ? own : said;
    const agrees = around >= 0 && isWithin(snapshot, row, around);
    return { row, sure: agrees || supports(row) || heard.length === 0, others: [] };
  }
  if (isWithin(snapshot, mine, theirs) || isWithin(snapshot, theirs, mine)) {
    return { row: preferred(snapshot, mine, theirs), sure: true, others: [] };
  }
  const forMine = supports(mine), forTheirs = supports(theirs);
  if (forMine !== forTheirs) return { row: forMine ? mine : theirs, sure: true, others: [] };
  const row = preferred(snapshot, mine, theirs);
  return { row, sure: false, others: [row === mine ? theirs : mine] };
}

function preferred(snapshot: Snapshot, mine: number, theirs: number): number {
  const application: Application = snapshot.origin.application;
  if (isGtk4(application)) return mine;
  if (isQt(application)) return CELLS.has(snapshot.role(theirs)) ? mine : theirs;
  // The inner one says more.
  return Math.max(mine, theirs);
}

/**
 * Does it lie in a bubble of GTK 3, or in a list or menu of Qt Quick? These answer with what lies below when they are asked what is
 * at a place.
 */
export function isInBubble(snapshot: Snapshot, own: number, said: number): boolean {
  if (own < 0 || said < 0) return false;
  if (!isGtk3(snapshot.origin.application) && !isInQuickPopup(snapshot, own)) return false;
  const [mine, theirs] = [partOfWindow(snapshot, own), partOfWindow(snapshot, said)];
  return mine > theirs && snapshot.parent(mine) === snapshot.parent(theirs);
}

/** The child of a window that a row is in or is: its content, or a bubble above that. */
function partOfWindow(snapshot: Snapshot, row: number): number {
  let at = row;
  while (snapshot.parent(snapshot.parent(at)) > 0) at = snapshot.parent(at);
  return at;
}
